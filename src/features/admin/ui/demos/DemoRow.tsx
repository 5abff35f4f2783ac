import type { AudioDemo } from '#admin/domain/content/admin-data.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { readDemoAudio } from '#admin/browser/content/demo-audio.ts'
import { raiseToast } from '#platform/browser/toast.ts'
import { usePlayback } from '#agent/ui/voice/usePlayback.ts'
import { PlayButton } from '#platform/ui/PlayButton.tsx'
import { ChangeMarks } from '#admin/ui/lists/ChangeMarks.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { entry, entryActions, entryMarks } from '#admin/ui/lists/variants.ts'
import { progressBar, textButton } from '#platform/domain/variants.ts'

interface Props {
  demo: AudioDemo
  onDelete: () => void
}

export function DemoRow({ demo, onDelete }: Props) {
  const { industry, title, description, audioUrl, seconds } = demo
  const { player, toggle } = usePlayback(() => readDemoAudio(audioUrl))
  return (
    <li className={entry({ kind: 'demo' })}>
      <PlayButton
        name={title}
        isPlaying={player.status === 'playing'}
        disabled={player.status === 'loading'}
        onClick={toggle}
      />
      <div>
        <p className="text-label text-ink-2 uppercase">
          {industry}
          {typeof seconds === 'number' && `, ${durationLabel(seconds)}`}
        </p>
        <h2 className="mt-0.5 text-h4 wrap-anywhere">{title}</h2>
        {description !== '' && <p className="text-sm wrap-anywhere text-ink-2">{description}</p>}
        {player.seconds !== null && (
          <p className="mt-2 flex items-center gap-3 text-sm">
            <progress
              className={`${progressBar} max-w-[min(12rem,40%)]`}
              max={player.seconds}
              value={player.at}
              aria-label={`Played of ${title}`}
            />
            {durationLabel(player.at)} of {durationLabel(player.seconds)}
          </p>
        )}
        {player.status === 'failed' && (
          <p className={`${problemLine} mt-2`} role="alert">
            We could not load the recording. Check your connection and try again.
          </p>
        )}
      </div>
      <p className={entryMarks}>
        <ChangeMarks collection="demos" record={demo} />
      </p>
      <p className={entryActions}>
        <button
          className={textButton({ size: 'small' })}
          type="button"
          aria-label={`Edit ${title}`}
          onClick={() => raiseToast(toasts.notImplemented)}
        >
          Edit
        </button>
        <button
          className={textButton({ size: 'small' })}
          type="button"
          aria-label={`Delete ${title}`}
          onClick={onDelete}
        >
          Delete
        </button>
      </p>
    </li>
  )
}
