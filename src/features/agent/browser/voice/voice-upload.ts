import { atom, type ReadableAtom } from 'nanostores'
import { sampleColumns, type AgentSettingsRow, type VoiceSample } from '#agent/domain/agent-settings.ts'
import { checkSample, sniffedBytes, type ConversionProblem } from '#agent/domain/voice/voice-sample.ts'
import {
  isBusy,
  isUnsaved,
  uploadOf,
  transition,
  type VoiceUpload,
  type VoiceUploadCommand,
  type VoiceUploadEvent,
} from '#agent/domain/voice/voice-upload.ts'
import type { uploadCheckedSample, UploadOutcome } from './voice-sample-files.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import type { Result } from '#platform/domain/result.ts'
import { createQueue } from '#platform/domain/queue.ts'

/** The clients that run the commands; a test passes its own. */
export interface VoiceUploadClients {
  upload: typeof uploadCheckedSample
  /** Converts a recording to WAV. */
  convert: (file: File) => Promise<Result<File, ConversionProblem>>
  remove: (path: string) => Promise<boolean>
  save: (userId: string, columns: Partial<AgentSettingsRow>) => Promise<boolean>
  /** Makes the browser ask before the page is left, or no longer. */
  warnBeforeUnload: (isOn: boolean) => void
  /** Milliseconds since 1970. */
  now: () => number
}

interface Settings {
  userId: string
  sample: VoiceSample | null
  clients: VoiceUploadClients
  /** Called when the sample in use has changed, once the database has it. */
  onChange: (sample: VoiceSample | null) => void
  /** Called when an upload or a removal begins or ends. */
  onBusyChange?: (isBusy: boolean) => void
}

export interface VoiceUploadFlow extends Flow<VoiceUpload, VoiceUploadEvent> {
  choose: (file: File) => Promise<void>
  retry: () => void
  /** Whether the customer has agreed that the speaker of the next recording consents. */
  isAgreed: ReadableAtom<boolean>
  agree: (isAgreed: boolean) => void
  /** The file that was chosen on this page, which need not be downloaded again. */
  file: () => File | null
}

const reasons: Record<Exclude<UploadOutcome, { ok: true }>['reason'], string> = {
  'signed-out': 'Your session has ended. Log in again, then upload the file.',
  refused: 'The file was refused. Choose another one.',
  unreachable: 'The upload was interrupted. Check your connection and try again.',
  aborted: 'The upload was cancelled.',
}

/** Uploads, replaces and removes one customer's voice sample. */
export function createVoiceUpload({
  userId,
  sample,
  clients,
  onChange,
  onBusyChange,
}: Settings): VoiceUploadFlow {
  const enqueue = createQueue()
  /** Paths in the bucket that the settings may still name: deleted once the settings name another one. */
  const leftovers = new Set<string>()
  const save = (saved: VoiceSample | null): Promise<boolean> =>
    enqueue(async () => {
      const isSaved = await clients.save(userId, sampleColumns(saved))
      if (isSaved) for (const path of leftovers) if (leftovers.delete(path)) void clients.remove(path)
      return isSaved
    })
  let attempt = 0
  let chosen: File | null = null
  let abort = new AbortController()
  const isAgreed = atom(false)

  async function run(command: VoiceUploadCommand): Promise<VoiceUploadEvent | undefined> {
    switch (command.type) {
      case 'convert': {
        if (!chosen) return undefined
        const { attempt } = command
        const converted = await clients.convert(chosen)
        if (!converted.ok) return { type: 'conversionFailed', attempt, problem: converted.failure }
        // Another file may have been chosen meanwhile.
        const state = flow.state.get()
        if (state.status !== 'converting' || state.attempt !== attempt) return undefined
        chosen = converted.value
        return { type: 'converted', attempt, now: clients.now(), bytes: chosen.size }
      }
      case 'upload': {
        if (!chosen) return undefined
        abort = new AbortController()
        const { path, mimeType, attempt } = command
        const onProgress = (sent: number): void => flow.send({ type: 'progressed', attempt, sent })
        const outcome = await clients.upload({
          path,
          mimeType,
          file: chosen,
          signal: abort.signal,
          onProgress,
        })
        return outcome.ok
          ? { type: 'uploaded', attempt, path }
          : { type: 'uploadFailed', attempt, path, reason: reasons[outcome.reason] }
      }
      case 'abort':
        abort.abort()
        return undefined
      case 'save':
        return { type: (await save(command.sample)) ? 'saved' : 'saveFailed', attempt: command.attempt }
      case 'discard':
        await clients.remove(command.path)
        return undefined
      case 'rollBack':
        leftovers.add(command.path)
        await save(command.previous)
        return undefined
      case 'clear':
        return { type: (await save(null)) ? 'removed' : 'removeFailed' }
      case 'reportSample':
        // Each recording needs a consent of its own.
        isAgreed.set(false)
        onChange(command.sample)
        return undefined
    }
  }

  const flow = createFlow<VoiceUpload, VoiceUploadEvent, VoiceUploadCommand>({
    initial: uploadOf(sample),
    transition: (state, event) => transition(userId, state, event),
    run,
  })

  let wasUnsaved = false
  let wasBusy = false
  flow.state.listen((state) => {
    if (isUnsaved(state) !== wasUnsaved) clients.warnBeforeUnload((wasUnsaved = !wasUnsaved))
    if (isBusy(state) !== wasBusy) onBusyChange?.((wasBusy = !wasBusy))
  })

  return {
    ...flow,
    file: () => chosen,
    isAgreed,
    agree(isNowAgreed) {
      isAgreed.set(isNowAgreed)
      if (isNowAgreed) flow.send({ type: 'agreed', now: clients.now() })
    },
    retry: () => flow.send({ type: 'retryPressed', attempt: ++attempt, now: clients.now() }),
    async choose(file) {
      const head = new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer())
      const check = checkSample({ name: file.name, bytes: file.size, head })
      if (check.ok && !isBusy(flow.state.get())) chosen = file
      const facts = { name: file.name, bytes: file.size, check, now: clients.now(), isAgreed: isAgreed.get() }
      flow.send({ type: 'fileChecked', attempt: ++attempt, ...facts })
    },
  }
}
