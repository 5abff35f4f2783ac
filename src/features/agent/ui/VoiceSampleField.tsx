import { useId, useState, type DragEvent } from 'react'
import { useStore } from '@nanostores/react'
import { voiceSampleExtensions, voiceSampleHintSeconds } from '#agent/domain/voice-sample.ts'
import { isBusy, sampleInUse } from '#agent/domain/voice-upload.ts'
import { downloadVoiceSample } from '#agent/browser/voice-sample-files.ts'
import type { VoiceUploadFlow } from '#agent/browser/voice-upload.ts'
import { SampleCard } from './SampleCard.tsx'
import { UploadCard } from './UploadCard.tsx'

/** Uploads, plays, replaces and removes a recording, which is chosen or dropped. */
export function VoiceSampleField({ upload }: { upload: VoiceUploadFlow }) {
  const state = useStore(upload.state)
  const [isOver, setOver] = useState(false)
  const hint = useId()
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
  const file = upload.file()
  const load = async (): Promise<Blob | null> => {
    if (!used) return null
    return file?.name === used.name && file.size === used.bytes ? file : downloadVoiceSample(used.path)
  }

  return (
    <div className="stack">
      <div
        className={isOver ? 'drop over' : 'drop'}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p>
          <b>Drop an audio file here</b>
          <br />
          <span className="sm dim" id={hint}>
            MP3, WAV or FLAC, up to 25 MB. Minimum {voiceSampleHintSeconds} seconds.
          </span>
        </p>
        <label className="btn two filebtn">
          {used ? 'Replace the file' : 'Choose a file'}
          <input
            className="sr"
            type="file"
            accept={voiceSampleExtensions.join(',')}
            aria-describedby={hint}
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
      <UploadCard state={state} upload={upload} />
      {used && <SampleCard key={used.path} sample={used} state={state} load={load} send={upload.send} />}
    </div>
  )
}
