import { useEffect, useId, useRef, useState, type ComponentType, type DragEvent } from 'react'
import { useStore } from '@nanostores/react'
import {
  convertibleExtensions,
  voiceSampleExtensions,
  voiceSampleHintSeconds,
} from '#agent/domain/voice/voice-sample.ts'
import { downloadVoiceSample } from '#agent/browser/voice/voice-sample-files.ts'
import { isBusy, sampleInUse, type VoiceUploadStore } from '#agent/browser/voice/voice-upload.ts'
import { onUse } from '#platform/browser/loading.ts'
import type { RecorderPanel } from './RecorderPanel.tsx'
import { SampleCard } from './SampleCard.tsx'
import { SpeakerConsent } from './SpeakerConsent.tsx'
import { UploadCard } from './UploadCard.tsx'
import { button } from '#platform/domain/variants.ts'
import { problemLine, stack } from '#platform/domain/app-variants.ts'

/** The recorder's code is fetched when it is first opened. */
type Recorder = ComponentType<Parameters<typeof RecorderPanel>[0]>

interface Props {
  upload: VoiceUploadStore
  /** What a toast says is missing. The file's field then gets the focus. */
  problem?: string
}

/** Uploads, plays, replaces and removes a recording, which is made here, chosen or dropped. */
export function VoiceSampleField({ upload, problem }: Props) {
  const state = useStore(upload.state)
  const [isOver, setOver] = useState(false)
  const [recorder, setRecorder] = useState<{ Panel: Recorder } | null>(null)
  const recordButton = useRef<HTMLButtonElement>(null)
  const hint = useId()
  const fileField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (problem) fileField.current?.focus()
  }, [problem])
  const isUploading = isBusy(state)
  const used = sampleInUse(state)

  const choose = (files: FileList | null): void => {
    const file = files?.[0]
    if (file && !isUploading) void upload.choose(file)
  }
  const over = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    choose(event.dataTransfer.files)
  }
  const openRecorder = (): void =>
    void onUse(import('./RecorderPanel.tsx'), ({ RecorderPanel }) => setRecorder({ Panel: RecorderPanel }))
  const closeRecorder = (): void => {
    setRecorder(null)
    recordButton.current?.focus()
  }
  const use = (recording: File): void => {
    closeRecorder()
    void upload.choose(recording)
  }
  const file = upload.file()
  const load = async (): Promise<Blob | null> => {
    if (!used) return null
    return file?.name === used.name && file.size === used.bytes ? file : downloadVoiceSample(used.path)
  }

  return (
    <div className={stack}>
      <div
        className="grid justify-items-start gap-4 rounded-strip border-[1.5px] border-dashed border-edge p-6 data-over:border-signal data-over:bg-panel"
        data-over={isOver || undefined}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p>
          <b>Drop an audio file here</b>
          <br />
          <span className="text-sm text-ink-2" id={hint}>
            MP3, WAV or FLAC, up to 25 MB. Minimum {voiceSampleHintSeconds} seconds.
            <br />
            M4A and other phone recordings are converted for you.
          </span>
        </p>
        <div className="flex flex-wrap gap-3">
          <button
            className={button({ kind: 'other' })}
            type="button"
            ref={recordButton}
            aria-disabled={isUploading}
            aria-expanded={recorder !== null}
            onClick={() => {
              if (!isUploading) openRecorder()
            }}
          >
            Record now
          </button>
          <label
            className={button({
              kind: 'other',
              class: 'outline-offset-3 outline-signal-text focus-within:outline-3',
            })}
          >
            {used ? 'Replace the file' : 'Choose a file'}
            <input
              className="sr-only"
              ref={fileField}
              type="file"
              accept={[...voiceSampleExtensions, ...convertibleExtensions].join(',')}
              aria-describedby={problem ? `${hint}-problem ${hint}` : hint}
              aria-invalid={problem ? true : undefined}
              // A disabled input would lose the focus.
              aria-disabled={isUploading}
              onClick={(event) => {
                if (isUploading) event.preventDefault()
              }}
              onChange={(event) => {
                choose(event.target.files)
                // The same file can be chosen again after a failure.
                event.target.value = ''
              }}
            />
          </label>
        </div>
        {problem && (
          <p className={problemLine} id={`${hint}-problem`}>
            {problem}
          </p>
        )}
      </div>
      {recorder && !isUploading && <recorder.Panel onUse={use} onClose={closeRecorder} />}
      <SpeakerConsent upload={upload} />
      <UploadCard state={state} upload={upload} />
      {used && (
        <SampleCard
          key={used.path}
          sample={used}
          state={state}
          load={load}
          onRemove={() => void upload.remove()}
        />
      )}
    </div>
  )
}
