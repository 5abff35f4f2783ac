import type { VoiceSample } from '#agent/domain/agent-settings.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { sizeLabel } from '#platform/domain/text/numbers.ts'
import type { VoiceUpload } from '#agent/browser/voice/voice-upload.ts'
import { PlayButton } from '#platform/ui/PlayButton.tsx'
import { besideName, fileCard } from './UploadCard.tsx'
import { usePlayback } from './usePlayback.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { badge, progressBar, textButton } from '#platform/domain/variants.ts'

interface Props {
  sample: VoiceSample
  state: VoiceUpload
  load: () => Promise<Blob | null>
  onRemove: () => void
}

/** Shows the recording that the agent uses, with its name, length and size; it can be played and removed. */
export function SampleCard({ sample, state, load, onRemove }: Props) {
  const { player, toggle } = usePlayback(load)
  const isStored = state.status === 'stored'
  const facts = [player.seconds === null ? null : durationLabel(player.seconds), sizeLabel(sample.bytes)]
  return (
    <div className={fileCard}>
      <b className="wrap-anywhere">{sample.name}</b>
      <span className={badge({ tone: 'ok', class: besideName })} role="status">
        Uploaded
      </span>
      <span className="text-sm text-ink-2">{facts.filter(Boolean).join(', ')}</span>
      <button
        className={textButton({ size: 'small', class: `text-sm ${besideName}` })}
        type="button"
        disabled={!isStored}
        aria-label={`Remove ${sample.name}`}
        onClick={onRemove}
      >
        {state.status === 'removing' ? 'Removing...' : 'Remove'}
      </button>
      <p className="col-span-full grid max-w-none grid-cols-[auto_1fr] items-center gap-4">
        <PlayButton
          name={sample.name}
          isPlaying={player.status === 'playing'}
          disabled={player.status === 'loading'}
          onClick={toggle}
        />
        <progress
          className={progressBar}
          max={player.seconds ?? 1}
          value={player.seconds === null ? 0 : player.at}
          aria-label="Played so far"
        />
      </p>
      {player.status === 'failed' && (
        <p className={`${problemLine} col-span-full`} role="alert">
          We could not load the recording. Check your connection and try again.
        </p>
      )}
      {state.status === 'stored' && state.problem && (
        <p className={`${problemLine} col-span-full`} role="alert">
          {state.problem}
        </p>
      )}
    </div>
  )
}
