import { useCallback, useEffect, useState } from 'react'
import { toasts } from '#platform/domain/toasts.ts'
import { sizeLabel } from '#platform/domain/text/numbers.ts'
import { listUsers } from '#admin/browser/users.ts'
import {
  fetchStoredFile,
  listStoredFiles,
  storeFile,
  type StoredFile,
} from '#admin/browser/content/backup-files.ts'
import { allUsers, exportFiles, makeBackup } from '#admin/browser/content/backups.ts'
import type { NamedFile } from '#platform/browser/save-as-file.ts'
import { raiseToast } from '#platform/browser/toast.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RestoreBackup } from './RestoreBackup.tsx'
import { saveAsFile } from '#platform/browser/save-as-file.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { button, cell, gridRow, textButton } from '#platform/domain/variants.ts'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

type Work =
  { status: 'idle' } | { status: 'working'; label: string } | { status: 'done' | 'failed'; text: string }

/** Export and backup. Both need a private bucket, which the settings name. */
export function Backups({ bucket }: { bucket: string | null }) {
  const { data } = useAdminData()
  const [work, setWork] = useState<Work>({ status: 'idle' })
  const [files, setFiles] = useState<readonly StoredFile[]>([])
  const [restored, setRestored] = useState<StoredFile | null>(null)

  const refresh = useCallback(async () => {
    if (bucket !== null) setFiles((await listStoredFiles(bucket)) ?? [])
  }, [bucket])
  useEffect(
    () => (bucket === null ? undefined : takeAnswer(listStoredFiles(bucket), (list) => setFiles(list ?? []))),
    [bucket],
  )

  async function store(
    label: string,
    make: (all: typeof data) => Promise<NamedFile[] | undefined>,
  ): Promise<void> {
    if (bucket === null) return
    setWork({ status: 'working', label })
    const users = await allUsers(listUsers)
    const made = users && (await make({ ...data, users }).catch(() => undefined))
    if (!made)
      return setWork({
        status: 'failed',
        text: 'Not everything could be read. Nothing was stored; try again.',
      })
    for (const { name, content } of made)
      if (!(await storeFile(bucket, name, content)))
        return setWork({ status: 'failed', text: `${name} could not be stored. Try again.` })
    setWork({ status: 'done', text: `Stored ${made.map(({ name }) => name).join(', ')}` })
    await refresh()
  }

  const exportAs = (format: 'json' | 'csv') => () =>
    bucket === null
      ? void raiseToast(toasts.exportNotImplemented)
      : void store('Exporting', (all) => Promise.resolve(exportFiles(all, format, Date.now())))
  const backUp = (): void =>
    bucket === null
      ? void raiseToast(toasts.backupNotImplemented)
      : void store('Backing up', async (all) => {
          const file = await makeBackup(all, Date.now())
          return file && [file]
        })

  async function download(name: string): Promise<void> {
    const content = bucket === null ? null : await fetchStoredFile(bucket, name)
    if (content) saveAsFile(name, content, content.type)
    else setWork({ status: 'failed', text: `${name} could not be fetched. Try again.` })
  }

  const isWorking = work.status === 'working'
  return (
    <div className={`${gridRow} border-t`}>
      <div className={cell({ span: 8, class: 'grid content-start gap-4' })}>
        <h2 className="text-h4" id="copies" tabIndex={-1}>
          Exports and backups
        </h2>
        <p className="text-sm text-ink-2">
          {bucket === null
            ? 'Exports and backups need a storage integration: name a private bucket above.'
            : `Users, demos and FAQs. Copies are kept in the bucket ${bucket}, which only you can read.`}
        </p>
        <div className="flex flex-wrap gap-3">
          <button
            className={button({ kind: 'other' })}
            type="button"
            disabled={isWorking}
            onClick={exportAs('json')}
          >
            Export data
          </button>
          {bucket !== null && (
            <button
              className={button({ kind: 'other' })}
              type="button"
              disabled={isWorking}
              onClick={exportAs('csv')}
            >
              Export as CSV
            </button>
          )}
          <button className={button({ kind: 'other' })} type="button" disabled={isWorking} onClick={backUp}>
            Create backup
          </button>
        </div>
        <p
          className={`empty:-mt-4 ${work.status === 'failed' ? problemLine : 'text-sm'}`}
          role={work.status === 'failed' ? 'alert' : 'status'}
        >
          {work.status === 'working' && `${work.label}...`}
          {(work.status === 'done' || work.status === 'failed') && work.text}
        </p>
      </div>
      <div className={cell({ class: 'grid content-start gap-4' })}>
        <h3 className="text-label text-ink-2 uppercase">In the bucket</h3>
        {files.length === 0 ? (
          <p className="text-sm text-ink-2">
            {bucket === null ? 'There is no bucket yet.' : 'Nothing is stored yet.'}
          </p>
        ) : (
          <ul className="text-sm">
            {files.map((file) => (
              <li className="grid py-2 not-first:border-t" key={file.name}>
                <b className="wrap-anywhere">{file.name}</b>
                <span className="text-ink-2">
                  {sizeLabel(file.bytes)}, <Moment iso={file.madeAt} />
                </span>
                <span className="flex items-center gap-4">
                  <button
                    className={textButton()}
                    type="button"
                    aria-label={`Download ${file.name}`}
                    onClick={() => void download(file.name)}
                  >
                    Download
                  </button>
                  {file.name.endsWith('.zip') && (
                    <button
                      className={textButton()}
                      type="button"
                      aria-label={`Restore ${file.name}`}
                      onClick={() => setRestored(file)}
                    >
                      Restore
                    </button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {restored && bucket !== null && (
        <RestoreBackup
          load={() => fetchStoredFile(bucket, restored.name)}
          name={restored.name}
          onEnd={(text, failed) => {
            setRestored(null)
            setWork(text === null ? { status: 'idle' } : { status: failed ? 'failed' : 'done', text })
          }}
        />
      )}
    </div>
  )
}
