import type { VoiceProvider, VoiceSetting } from '#assistant/domain/voice-setting.ts'

type Options = VoiceSetting['options']
/** An event of a conversation. Not every widget reports events. */
export type ConversationEvent = 'started' | 'ended' | 'failed'
type OnEvent = (event: ConversationEvent) => void

/** How a widget is opened and closed once its script has run. No other code depends on a provider. */
export interface VoiceWidget {
  isReady: (options: Options) => boolean
  open: (options: Options, onEvent: OnEvent, context: unknown) => void
  close: (options: Options) => void
  /** Listens to events for as long as the page is open. */
  events?: (onEvent: OnEvent) => void
}

type Methods = Record<string, unknown>

/** Returns the method of the object at a dotted path from `window`, bound to it; undefined if there is none. */
function methodAt(path: string, method: string): ((argument?: unknown) => unknown) | undefined {
  const owner = path
    .split('.')
    .reduce<unknown>((value, name) => (value as Methods | undefined)?.[name], window) as Methods | undefined
  const found = owner?.[method]
  return typeof found === 'function' ? (argument) => found.call(owner, argument) as unknown : undefined
}

/** Clicks an element as soon as the widget has created it. */
function clickWhenPresent(selector: string): void {
  const find = () => document.querySelector<HTMLElement>(selector)
  const element = find()
  if (element) return element.click()
  const observer = new MutationObserver(() => {
    const created = find()
    if (!created) return
    observer.disconnect()
    created.click()
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

interface Vapi {
  on?: (event: string, listener: () => void) => void
  stop?: () => void
}
let vapi: Vapi | undefined

/** The widgets of others. A page fetches this file only if the setting names one of them. */
export const voiceWidgets: Record<Exclude<VoiceProvider, 'own'>, VoiceWidget> = {
  // https://docs.vapi.ai, the html-script-tag package: run() may run once; after that, its own button opens the widget.
  vapi: {
    isReady: () => methodAt('vapiSDK', 'run') !== undefined,
    open: ({ apiKey, assistant }, onEvent) => {
      if (!vapi) {
        const instance = methodAt('vapiSDK', 'run')!({ apiKey, assistant }) as Vapi | undefined
        instance?.on?.('call-start', () => onEvent('started'))
        instance?.on?.('call-end', () => onEvent('ended'))
        instance?.on?.('error', () => onEvent('failed'))
        vapi = instance ?? {}
      }
      clickWhenPresent('#vapi-support-btn')
    },
    close: () => vapi?.stop?.(),
  },

  // Any widget that leaves a browser global: PUBLIC_VOICE_WIDGET=global?script=https://…&global=Acme.voice&open=start&close=stop
  global: {
    isReady: ({ global = '', open = 'open' }) => methodAt(global, open) !== undefined,
    open: ({ global = '', open = 'open' }, _, context) => void methodAt(global, open)!(context),
    close: ({ global = '', close = 'close' }) => void methodAt(global, close)?.(),
  },
}
