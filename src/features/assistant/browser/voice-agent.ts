import type { VoiceSetting } from '#assistant/domain/voice-setting.ts'
import type { ConversationEvent, VoiceWidget } from './voice-widgets.ts'

/** The interval of the checks whether the widget is ready (specification, section 9). */
const intervalMs = 100
/** The time limit for a widget to become ready after a press of the button. */
const readyTimeoutMs = 10_000

declare global {
  interface Window {
    /** The site's own agent, once it has loaded (assistant/ui/register.ts). */
    voiceAgent?: { start: (role?: never) => void; end: () => void }
  }
}

/** The site's own agent, described like a provider's widget. */
const ownWidget: VoiceWidget = {
  isReady: () => window.voiceAgent !== undefined,
  open: (_, __, role) => window.voiceAgent!.start(role as never),
  close: () => window.voiceAgent!.end(),
  events: (onEvent) => addEventListener('voice-agent-failed', () => onEvent('failed')),
}

interface VoiceAgent {
  /** Runs `callback` once, when the widget is ready. It does not check while the page is hidden. */
  whenReady: (callback: () => void) => void
  /**
   * Fetches the widget once.
   * @returns false if it failed to load; the next attempt fetches it again
   */
  load: () => Promise<boolean>
  /**
   * Starts a conversation as soon as the widget is ready.
   * @returns false if the widget failed to load, was not ready within ten seconds, or threw an error
   */
  start: (context?: unknown) => Promise<boolean>
  end: () => void
}

/**
 * Creates the voice agent that a setting names.
 * @param loadOwn loads the site's own agent, which registers itself like a widget
 * @param onEvent receives the events of the conversation, if the widget reports any
 */
export function createVoiceAgent(
  { provider, options }: VoiceSetting,
  loadOwn: () => Promise<unknown>,
  onEvent: (event: ConversationEvent) => void,
): VoiceAgent {
  let widget: VoiceWidget | undefined
  const getWidget = async (): Promise<VoiceWidget> =>
    (widget ??= provider === 'own' ? ownWidget : (await import('./voice-widgets.ts')).voiceWidgets[provider])
  // The next press of the button tries again.
  getWidget().catch(() => {})
  let isListening = false
  let loading: Promise<void> | undefined
  /** Looks whether the widget is ready now, for `whenReady`. */
  let check = (): void => {}

  const isReady = (): boolean => {
    if (!widget?.isReady(options)) return false
    if (!isListening) widget.events?.(onEvent)
    isListening = true
    return true
  }

  async function loadScript(): Promise<void> {
    if (provider === 'own') return void (await loadOwn())
    await getWidget()
    return new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.async = true
      script.src = options.script ?? ''
      script.onload = () => resolve()
      script.onerror = () => {
        script.remove()
        reject(new Error('The voice widget did not load'))
      }
      document.head.append(script)
    })
  }

  const fetchWidget = (): Promise<void> =>
    (loading ??= (isReady() ? Promise.resolve() : loadScript()).then(
      // A stored conversation begins at once, and may end before the interval has passed.
      () => check(),
      (error: unknown) => {
        // The next press of the button tries again.
        loading = undefined
        throw error
      },
    ))

  function whenReady(callback: () => void): void {
    let timer = 0
    check = () => {
      if (!isReady()) return
      clearInterval(timer)
      document.removeEventListener('visibilitychange', updateTimer)
      check = () => {}
      callback()
    }
    const updateTimer = (): void => {
      clearInterval(timer)
      if (!document.hidden) timer = window.setInterval(check, intervalMs)
    }
    document.addEventListener('visibilitychange', updateTimer)
    updateTimer()
  }

  /**
   * Fetches the widget and waits until it is ready, which may be later than the load event of its script. Rejects if it
   * failed to load, and after the time limit, also if the fetch hangs.
   */
  const ready = (): Promise<void> =>
    new Promise((resolve, reject) => {
      fetchWidget().catch(reject)
      const deadline = Date.now() + readyTimeoutMs
      const wait = (): void => {
        if (isReady()) resolve()
        else if (Date.now() >= deadline) reject(new Error('The voice widget is missing'))
        else setTimeout(wait, intervalMs)
      }
      wait()
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
        if (!isReady()) await ready()
        widget!.open(options, onEvent, context)
        return true
      } catch {
        return false
      }
    },
    end: () => {
      if (isReady()) widget?.close(options)
    },
  }
}
