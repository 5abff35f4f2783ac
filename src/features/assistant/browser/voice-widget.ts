import type { VoiceSetting } from '#assistant/domain/voice-setting.ts'
import { load } from '#platform/browser/loading.ts'
import type { ConversationEvent, VoiceWidget } from './voice-widgets.ts'

/** How often the widget is looked for, in milliseconds (specification, section 9). */
const interval = 100
/** How long somebody who has pressed the button waits for a widget that is still loading, in milliseconds. */
const patience = 10_000

declare global {
  interface Window {
    /** The agent that comes with the site, once it has loaded (islands/assistant/register.ts). */
    deskbellVoice?: { start: (role?: never) => void; end: () => void }
  }
}

/** Ours, described as any other widget is. */
const own: VoiceWidget = {
  isReady: () => window.deskbellVoice !== undefined,
  open: (_, __, role) => window.deskbellVoice!.start(role as never),
  close: () => window.deskbellVoice!.end(),
  events: (_, tell) =>
    addEventListener('deskbell-voice', (event) => tell((event as CustomEvent<ConversationEvent>).detail)),
}

export interface VoiceAgent {
  /** Tells once that the widget is there. Nobody looks for it while the page is hidden, nor after it was found. */
  whenReady: (tell: () => void) => void
  /**
   * Fetches the widget, once.
   * @returns false if it could not be fetched; the next call tries again
   */
  load: () => Promise<boolean>
  /**
   * Starts a conversation, as soon as the widget is there.
   * @returns false where it is missing: not loaded in ten seconds, failed to load, or broken
   */
  start: (context?: unknown) => Promise<boolean>
  end: () => void
}

/**
 * The voice agent that a setting names.
 * @param ours loads the agent that comes with the site, which registers itself as any widget does
 * @param tell hears what the conversation does, where the widget says so
 */
export function voiceAgent(
  { provider, options }: VoiceSetting,
  ours: () => Promise<unknown>,
  tell: (event: ConversationEvent) => void,
): VoiceAgent {
  let widget: VoiceWidget | undefined
  const describe = async (): Promise<VoiceWidget> =>
    (widget ??=
      provider === 'deskbell' ? own : (await load(() => import('./voice-widgets.ts'))).voiceWidgets[provider])
  // The next press tries again.
  describe().catch(() => {})
  let isWired = false
  let attempts = 0
  let loading: Promise<void> | undefined

  const isReady = (): boolean => {
    if (!widget?.isReady(options)) return false
    if (!isWired) widget.events?.(options, tell)
    isWired = true
    return true
  }

  async function loadScript(): Promise<void> {
    if (provider === 'deskbell') return void (await ours())
    const { script: attributes, place } = await describe()
    attempts += 1
    return new Promise((resolve, reject) => {
      const script = document.createElement('script')
      for (const [name, value] of Object.entries(attributes?.(options) ?? {}))
        script.setAttribute(name, value)
      script.async = true
      // A browser that remembers that a module could not be loaded remembers it of the address.
      script.src = attempts > 1 ? `${options.script}#${attempts}` : (options.script ?? '')
      script.onload = () => resolve()
      script.onerror = () => {
        script.remove()
        reject(new Error('The voice widget did not load'))
      }
      if (attempts === 1) place?.(options)
      document.head.append(script)
    })
  }

  const fetchWidget = (): Promise<void> =>
    (loading ??= (isReady() ? Promise.resolve() : loadScript()).catch((error: unknown) => {
      // The next press tries again.
      loading = undefined
      throw error
    }))

  function whenReady(found: () => void): void {
    let timer = 0
    const look = (): void => {
      if (!isReady()) return
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
      found()
    }
    const follow = (): void => {
      clearInterval(timer)
      if (!document.hidden) timer = window.setInterval(look, interval)
    }
    document.addEventListener('visibilitychange', follow)
    follow()
  }

  /** Resolves when the widget is there, or rejects: the script may have loaded and the widget still be on its way. */
  const ready = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = Date.now() + patience
      const look = (): void => {
        if (isReady()) resolve()
        else if (Date.now() > end) reject(new Error('The voice widget is missing'))
        else setTimeout(look, interval)
      }
      look()
    })

  return {
    whenReady,
    load: () =>
      fetchWidget().then(
        () => true,
        () => false,
      ),
    async start(context) {
      try {
        if (!isReady()) {
          await fetchWidget()
          await ready()
        }
        await widget!.open(options, tell, context)
        return true
      } catch {
        return false
      }
    },
    end: () => {
      if (isReady()) widget?.close?.(options)
    },
  }
}
