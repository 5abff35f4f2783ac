import { useState } from 'react'
import type { User } from '#account/browser/session.ts'
import { packMyData } from '#portal/browser/my-data.ts'
import { saveAsFile } from '#platform/browser/save-as-file.ts'

type Work =
  { status: 'idle' } | { status: 'working' } | { status: 'done'; name: string } | { status: 'failed' }

/** Hands customers their data, as a file. */
export function ExportData({ user }: { user: User }) {
  const [work, setWork] = useState<Work>({ status: 'idle' })

  async function pack(): Promise<void> {
    setWork({ status: 'working' })
    // Without a network not even the packing comes.
    const file = await packMyData(user, Date.now()).catch(() => undefined)
    if (!file) return setWork({ status: 'failed' })
    saveAsFile(file.name, file.content, file.content.type)
    setWork({ status: 'done', name: file.name })
  }

  const isWorking = work.status === 'working'
  return (
    <div className="c8 tall stack">
      <h2 className="h4">Your data</h2>
      <p className="dim">
        Your account, subscription, agent settings, minutes and calls as JSON, with your voice sample, in one
        ZIP file. Your invoices are in the billing portal.
      </p>
      <button className="btn two" type="button" disabled={isWorking} onClick={() => void pack()}>
        {isWorking ? 'Exporting...' : 'Export my data'}
      </button>
      <p
        className={work.status === 'failed' ? 'err' : 'sm'}
        role={work.status === 'failed' ? 'alert' : 'status'}
      >
        {work.status === 'done' && `Saved as ${work.name}`}
        {work.status === 'failed' && 'Not everything could be read, so nothing was saved. Please try again.'}
      </p>
    </div>
  )
}
