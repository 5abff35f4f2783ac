import type { VoiceProvider, VoiceSetting } from '#assistant/domain/voice-setting.ts'

type Options = VoiceSetting['options']
/** An event of a conversation. Not every widget reports events. */
export type ConversationEvent = 'started' | 'ended' | 'failed'
type OnEvent = (event: ConversationEvent) => void

/** How to embed the widget of one provider. No other code depends on a provider. */
export interface VoiceWidget {
  /** Returns the attributes of the script element, apart from its URL. */
  script?: (options: Options) => Record<string, string>
  /** Adds the elements that the page needs besides the script. */
  place?: (options: Options) => void
  isReady: (options: Options) => boolean
  /** Opens the widget. Returns a promise if that is asynchronous. */
  open: (options: Options, onEvent: OnEvent, context: unknown) => unknown
  close?: (options: Options) => void
  events?: (options: Options, onEvent: OnEvent) => void
}

type Callable = (...args: unknown[]) => unknown
type Properties = Record<string, unknown>

/** Returns the value at a dotted path from `window`, or undefined if there is none. */
const valueAt = (path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Properties | undefined)?.[name], window)

/** Calls a method of the object at a path. */
const callMethod = (path: string, method: string, ...args: unknown[]): unknown =>
  ((valueAt(path) as Properties)[method] as Callable)(...args)

/** Describes a widget that is a global object with a method that opens it and possibly one that closes it. */
const globalObject = (
  target: (options: Options) => { path: string; open: string; close: string },
): VoiceWidget => ({
  isReady: (options) => {
    const { path, open } = target(options)
    return typeof (valueAt(path) as Properties | undefined)?.[open] === 'function'
  },
  open: (options, _, context) => {
    const { path, open } = target(options)
    callMethod(path, open, context)
  },
  close: (options) => {
    const { path, close } = target(options)
    if (typeof (valueAt(path) as Properties | undefined)?.[close] === 'function') callMethod(path, close)
  },
})

/** Clicks an element as soon as the widget has created it. */
function clickWhenPresent(find: () => HTMLElement | null | undefined): void {
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
let vapiEmbed: { destroy?: () => void } | undefined

/** The providers' widgets. A page fetches this file only if the setting names one of them. */
export const voiceWidgets: Record<Exclude<VoiceProvider, 'own'>, VoiceWidget> = {
  // https://docs.vapi.ai, the html-script-tag package: run() may run once; after that, its own button opens the widget.
  vapi: {
    isReady: () => typeof valueAt('vapiSDK.run') === 'function',
    open: ({ apiKey, assistant }, onEvent) => {
      if (!vapi) {
        const instance = callMethod('vapiSDK', 'run', { apiKey, assistant }) as Vapi | undefined
        instance?.on?.('call-start', () => onEvent('started'))
        instance?.on?.('call-end', () => onEvent('ended'))
        instance?.on?.('error', () => onEvent('failed'))
        vapi = instance ?? {}
      }
      clickWhenPresent(() => document.querySelector<HTMLElement>('#vapi-support-btn'))
    },
    close: () => vapi?.stop?.(),
  },

  // The embed of @vapi-ai/client-sdk-react. It opens by itself if its entry in session storage says so.
  'vapi-embed': {
    isReady: () => typeof valueAt('WidgetLoader') === 'function',
    open: ({ publicKey, assistantId }, onEvent) => {
      vapiEmbed?.destroy?.()
      sessionStorage.setItem('vapi_widget_expanded', 'true')
      const container = document.body.appendChild(document.createElement('div'))
      const Loader = valueAt('WidgetLoader') as new (options: Properties) => NonNullable<typeof vapiEmbed>
      vapiEmbed = new Loader({
        container,
        component: 'VapiWidget',
        props: { publicKey, assistantId, mode: 'voice' },
      })
      onEvent('started')
    },
    close: () => {
      sessionStorage.removeItem('vapi_widget_expanded')
      vapiEmbed?.destroy?.()
      vapiEmbed = undefined
    },
  },

  // @elevenlabs/convai-widget-core listens on the document. Without a user-id it fingerprints the browser.
  elevenlabs: {
    place: (options) => {
      const element = document.createElement('elevenlabs-convai')
      element.setAttribute('agent-id', options['agent-id'] ?? '')
      element.setAttribute('user-id', options['user-id'] ?? 'visitor')
      document.body.append(element)
    },
    isReady: () => customElements.get('elevenlabs-convai') !== undefined,
    open: () => {
      document.dispatchEvent(new CustomEvent('elevenlabs-agent:expand', { detail: { action: 'expand' } }))
    },
    close: () => {
      document.dispatchEvent(new CustomEvent('elevenlabs-agent:expand', { detail: { action: 'collapse' } }))
    },
    events: (_, onEvent) => document.addEventListener('elevenlabs-convai:call', () => onEvent('started')),
  },

  retell: {
    script: ({ publicKey = '', agentId = '' }) => ({
      type: 'module',
      'data-voice-public-key': publicKey,
      'data-voice-agent-id': agentId,
    }),
    isReady: () => Boolean(document.querySelector('retell-widget')?.shadowRoot?.querySelector('button')),
    open: () => document.querySelector('retell-widget')?.shadowRoot?.querySelector('button')?.click(),
  },

  voiceflow: {
    script: () => ({ type: 'module' }),
    isReady: () => typeof valueAt('voiceflow.chat.load') === 'function',
    open: async ({ projectID }) => {
      await callMethod('voiceflow.chat', 'load', {
        verify: { projectID },
        url: 'https://general-runtime.voiceflow.com',
        versionID: 'production',
      })
      callMethod('voiceflow.chat', 'open')
    },
    close: () => void callMethod('voiceflow.chat', 'close'),
  },

  dograh: {
    ...globalObject(() => ({ path: 'DograhWidget', open: 'start', close: 'end' })),
    events: (_, onEvent) => {
      const widget = valueAt('DograhWidget') as Properties
      widget.onCallStart = () => onEvent('started')
      widget.onCallEnd = () => onEvent('ended')
      widget.onError = () => onEvent('failed')
    },
  },

  // Any other provider: PUBLIC_VOICE_WIDGET=global?script=https://…&global=Acme.voice&open=start&close=stop
  global: globalObject(({ global = '', open = 'open', close = 'close' }) => ({ path: global, open, close })),
}
