import { useState } from 'react'
import type { User } from '#account/browser/session.ts'
import { saveAsFile, type NamedFile } from '#platform/browser/save-as-file.ts'
import { problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell } from '#platform/domain/variants.ts'

type Export =
  { status: 'idle' } | { status: 'working' } | { status: 'done'; name: string } | { status: 'failed' }

async function packed(user: User): Promise<NamedFile | undefined> {
  try {
    const { packMyData } = await import('#portal/browser/my-data.ts')
    return await packMyData(user, Date.now())
  } catch {
    // Without a network not even the code that packs the file can be loaded.
    return undefined
  }
}

/** Exports the customer's data as a file. */
export function ExportData({ user }: { user: User }) {
  const [state, setState] = useState<Export>({ status: 'idle' })

  async function pack(): Promise<void> {
    setState({ status: 'working' })
    const file = await packed(user)
    if (!file) return setState({ status: 'failed' })
    saveAsFile(file.name, file.content, file.content.type)
    setState({ status: 'done', name: file.name })
  }

  const isWorking = state.status === 'working'
  return (
    <div className={cell({ span: 8, room: 'tall', class: stack })}>
      <h2 className="text-h4">Your data</h2>
      <p className="text-ink-2">
        Your account, subscription, agent, minutes, calls, messages, bookings and connections, and which
        emails we sent you, as JSON, with your voice sample and the recordings of your calls, in one ZIP file.
        Your invoices are under Billing.
      </p>
      <button
        className={button({ kind: 'other' })}
        type="button"
        disabled={isWorking}
        onClick={() => void pack()}
      >
        {isWorking ? 'Exporting...' : 'Export my data'}
      </button>
      <p
        className={state.status === 'failed' ? problemLine : 'text-sm'}
        role={state.status === 'failed' ? 'alert' : 'status'}
      >
        {state.status === 'done' && `Saved as ${state.name}`}
        {state.status === 'failed' &&
          'We could not read all your data, so nothing was saved. Please try again.'}
      </p>
    </div>
  )
}
