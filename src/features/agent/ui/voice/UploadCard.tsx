import { sizeLabel } from '#platform/domain/text/numbers.ts'
import type { VoiceUpload, VoiceUploadStore } from '#agent/browser/voice/voice-upload.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { badge, button, progressBar, textButton } from '#platform/domain/variants.ts'

export const fileCard =
  'grid items-center gap-x-4 gap-y-1 rounded-strip border bg-panel px-6 py-4 md:grid-cols-[1fr_auto]'

/** What stands beside the file's name, and below it on phones. */
export const besideName = 'justify-self-start md:justify-self-end'

/** Shows the file that is being uploaded, or that could not be uploaded. */
export function UploadCard({ state, upload }: { state: VoiceUpload; upload: VoiceUploadStore }) {
  if (state.status === 'failed')
    return (
      <div className={fileCard} role="alert">
        <b className="wrap-anywhere">{state.name}</b>
        <span className={badge({ tone: 'bad', class: besideName })}>Not uploaded</span>
        <p className={`${problemLine} col-span-full`}>{state.reason}</p>
        <p className="col-span-full mt-2 flex flex-wrap gap-3">
          {state.retry && (
            <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={upload.retry}>
              Try again
            </button>
          )}
          <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={upload.cancel}>
            Dismiss
          </button>
        </p>
      </div>
    )
  if (state.status === 'unconfirmed' || state.status === 'converting') {
    const { name, file } = state.chosen
    return (
      <div className={fileCard}>
        <b className="wrap-anywhere">{name}</b>
        {state.status === 'unconfirmed' ? (
          <span className={badge({ tone: 'warn', class: besideName })}>Not uploaded yet</span>
        ) : (
          <span className={badge({ tone: 'on', class: besideName })} role="status">
            Converting
          </span>
        )}
        <span className="text-sm text-ink-2">{sizeLabel(file.size)}</span>
        <button
          className={textButton({ size: 'small', class: `text-sm ${besideName}` })}
          type="button"
          aria-label={`Cancel ${name}`}
          onClick={upload.cancel}
        >
          Cancel
        </button>
      </div>
    )
  }
  if (state.status !== 'uploading' && state.status !== 'saving') return null
  const { name, bytes } = state.sample
  const sent = Math.min(state.sent, bytes)
  const percent = Math.floor((sent / bytes) * 100)
  return (
    <div className={fileCard}>
      <b className="wrap-anywhere">{name}</b>
      <span className={badge({ tone: 'on', class: besideName })}>
        {percent < 100 ? 'Uploading' : 'Saving'}
      </span>
      <span className="text-sm text-ink-2">
        {sizeLabel(sent)} of {sizeLabel(bytes)}
      </span>
      {state.status === 'uploading' && (
        <button
          className={textButton({ size: 'small', class: `text-sm ${besideName}` })}
          type="button"
          onClick={upload.cancel}
        >
          Cancel
        </button>
      )}
      <progress
        className={`${progressBar} col-span-full`}
        max={bytes}
        value={sent}
        aria-label={`Uploading ${name}`}
      >
        {percent}%
      </progress>
      <span className="sr-only" role="status">
        Upload in progress
      </span>
    </div>
  )
}
