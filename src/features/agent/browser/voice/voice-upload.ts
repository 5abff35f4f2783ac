import { atom } from 'nanostores'
import { sampleColumns, type AgentSettingsRow, type VoiceSample } from '#agent/domain/agent-settings.ts'
import {
  audioMimeTypes,
  checkSample,
  samplePath,
  sampleProblemText,
  sniffedBytes,
  type AudioKind,
  type ConversionProblem,
} from '#agent/domain/voice/voice-sample.ts'
import type { uploadCheckedSample, UploadOutcome } from './voice-sample-files.ts'
import type { Result } from '#platform/domain/result.ts'
import { createQueue } from '#platform/domain/queue.ts'

/** A file to upload. */
interface Chosen {
  name: string
  file: File
  /** Null if the file has to be converted. */
  kind: AudioKind | null
}

interface WithPrevious {
  /** The sample in use until another one is saved; a failed or cancelled upload leaves it in use. */
  previous: VoiceSample | null
}

/** What becomes of a customer's voice sample: its upload to the bucket and its entry in the settings, or its removal from both. */
export type VoiceUpload =
  | { status: 'none' }
  | { status: 'stored'; sample: VoiceSample; problem: string | null }
  /** `unconfirmed`: the customer has not agreed yet. `converting`: the file is being converted to WAV. */
  | ({ status: 'unconfirmed' | 'converting'; chosen: Chosen } & WithPrevious)
  /** `saving`: in the bucket, but not in the settings yet. `sent`: bytes. */
  | ({ status: 'uploading' | 'saving'; sample: VoiceSample; sent: number } & WithPrevious)
  /** `retry`: what can be tried again as it is. */
  | ({ status: 'failed'; name: string; reason: string; retry: Chosen | null } & WithPrevious)
  | { status: 'removing'; sample: VoiceSample }

/** The clients of an upload; a test passes its own. */
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

const reasons: Record<Exclude<UploadOutcome, { ok: true }>['reason'], string> = {
  'signed-out': 'Your session has ended. Log in again, then upload the file.',
  refused: 'The file was refused. Choose another one.',
  unreachable: 'The upload was interrupted. Check your connection and try again.',
  aborted: 'The upload was cancelled.',
}
const notSaved = 'The recording arrived, but we could not save it. Try again.'
const notRemoved = 'We could not remove the recording. Try again.'

const uploadOf = (sample: VoiceSample | null): VoiceUpload =>
  sample ? { status: 'stored', sample, problem: null } : { status: 'none' }

/** Returns the sample that the agent uses now, also during an upload. */
export function sampleInUse(state: VoiceUpload): VoiceSample | null {
  if (state.status === 'none') return null
  return state.status === 'stored' || state.status === 'removing' ? state.sample : state.previous
}

/** Returns whether an upload or a removal is in progress. */
export const isBusy = ({ status }: VoiceUpload): boolean =>
  status === 'converting' || status === 'uploading' || status === 'saving' || status === 'removing'

export type VoiceUploadStore = ReturnType<typeof createVoiceUpload>

/** Uploads, replaces and removes one customer's voice sample. Nothing is uploaded before the customer has agreed that the speaker consents. */
export function createVoiceUpload({ userId, sample, clients, onChange, onBusyChange }: Settings) {
  const state = atom<VoiceUpload>(uploadOf(sample))
  /** Whether the customer has agreed that the speaker of the next recording consents. */
  const isAgreed = atom(false)
  const enqueue = createQueue()
  /** Paths in the bucket that the settings may still name: deleted once the settings name another one. */
  const leftovers = new Set<string>()
  let attempt = new AbortController()
  let uploaded: File | null = null

  const save = (saved: VoiceSample | null): Promise<boolean> =>
    enqueue(async () => {
      const isSaved = await clients.save(userId, sampleColumns(saved))
      if (isSaved) for (const path of leftovers) if (leftovers.delete(path)) void clients.remove(path)
      return isSaved
    })

  /** Each recording needs a consent of its own. */
  function use(saved: VoiceSample | null): void {
    state.set(uploadOf(saved))
    isAgreed.set(false)
    onChange(saved)
  }

  /** Uploads a file once its speaker's consent is there. */
  function propose(chosen: Chosen): void {
    const previous = sampleInUse(state.get())
    if (isAgreed.get()) void upload(chosen, previous)
    else state.set({ status: 'unconfirmed', chosen, previous })
  }

  async function upload({ name, ...chosen }: Chosen, previous: VoiceSample | null): Promise<void> {
    const { signal } = (attempt = new AbortController())
    const fail = (reason: string, retry: Chosen | null): void =>
      state.set({ status: 'failed', name, reason, retry, previous })
    let { file, kind } = chosen
    if (!kind) {
      state.set({ status: 'converting', chosen: { name, file, kind }, previous })
      const converted = await clients.convert(file)
      if (signal.aborted) return
      if (!converted.ok) return fail(sampleProblemText[converted.failure], null)
      file = converted.value
      kind = 'wav'
    }
    const added = { path: samplePath(userId, clients.now(), name, kind), name, bytes: file.size }
    const retry = { name, file, kind }
    const onProgress = (sent: number): void => {
      if (!signal.aborted) state.set({ status: 'uploading', sample: added, sent, previous })
    }
    onProgress(0)
    const mimeType = audioMimeTypes[kind]
    const outcome = await clients.upload({ path: added.path, mimeType, file, signal, onProgress })
    // The file may have arrived nevertheless.
    if (signal.aborted || !outcome.ok) void clients.remove(added.path)
    if (signal.aborted) return
    if (!outcome.ok) return fail(reasons[outcome.reason], retry)
    state.set({ status: 'saving', sample: added, sent: file.size, previous })
    if (!(await save(added))) {
      // It may have been saved: the settings name the sample in use again before the new file goes.
      leftovers.add(added.path)
      void save(previous)
      return fail(notSaved, retry)
    }
    uploaded = file
    use(added)
    if (previous) void clients.remove(previous.path)
  }

  let isWarning = false
  let wasBusy = false
  state.listen((now) => {
    const isUnsaved = isBusy(now) || now.status === 'unconfirmed'
    if (isUnsaved !== isWarning) clients.warnBeforeUnload((isWarning = isUnsaved))
    if (isBusy(now) !== wasBusy) onBusyChange?.((wasBusy = isBusy(now)))
  })

  return {
    state,
    isAgreed,
    /** Returns the file that was uploaded on this page, which need not be downloaded again. */
    file: () => uploaded,
    agree(isNowAgreed: boolean): void {
      isAgreed.set(isNowAgreed)
      const now = state.get()
      if (isNowAgreed && now.status === 'unconfirmed') propose(now.chosen)
    },
    async choose(file: File): Promise<void> {
      const head = new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer())
      const check = checkSample({ name: file.name, bytes: file.size, head })
      const now = state.get()
      if (isBusy(now)) return
      const name = file.name.slice(-255)
      if (check.ok) return propose({ name, file, kind: check.kind })
      const reason = sampleProblemText[check.problem]
      state.set({ status: 'failed', name, reason, retry: null, previous: sampleInUse(now) })
    },
    /** Cancels an upload that is not saved yet, or dismisses a failed one. */
    cancel(): void {
      const now = state.get()
      if (now.status === 'saving' || now.status === 'removing') return
      attempt.abort()
      state.set(uploadOf(sampleInUse(now)))
    },
    retry(): void {
      const now = state.get()
      if (now.status === 'failed' && now.retry) propose(now.retry)
    },
    async remove(): Promise<void> {
      const now = state.get()
      if (now.status !== 'stored') return
      state.set({ status: 'removing', sample: now.sample })
      if (!(await save(null))) return state.set({ ...now, problem: notRemoved })
      use(null)
      void clients.remove(now.sample.path)
    },
  }
}
