import type { VoiceProvider, VoiceSetting } from '#assistant/domain/voice-setting.ts'

type Options = VoiceSetting['options']
/** What a conversation does, where the widget says so. */
export type ConversationEvent = 'started' | 'ended' | 'failed'
type Tell = (event: ConversationEvent) => void

/** How one provider's widget is embedded. Nothing else in the code knows a provider. */
export interface VoiceWidget {
  /** Attributes of the script element besides its address. */
  script?: (options: Options) => Record<string, string>
  /** What the page must hold besides the script. */
  place?: (options: Options) => void
  isReady: (options: Options) => boolean
  /** A promise where opening takes its time. */
  open: (options: Options, tell: Tell, context: unknown) => unknown
  close?: (options: Options) => void
  events?: (options: Options, tell: Tell) => void
}

type Callable = (...args: unknown[]) => unknown
type Bag = Record<string, unknown>

/** Follows a dotted path from `window`; undefined where it breaks off. */
const at = (path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Bag | undefined)?.[name], window)

/** Calls a method of what stands at a path. */
const call = (path: string, method: string, ...args: unknown[]): unknown =>
  ((at(path) as Bag)[method] as Callable)(...args)

/** A global object with a method that opens and, perhaps, one that closes; its callbacks, if any, are told of. */
const globalObject = (
  named: (options: Options) => { path: string; open: string; close: string },
): VoiceWidget => ({
  isReady: (options) => {
    const { path, open } = named(options)
    return typeof (at(path) as Bag | undefined)?.[open] === 'function'
  },
  open: (options, _, context) => {
    const { path, open } = named(options)
    call(path, open, context)
  },
  close: (options) => {
    const { path, close } = named(options)
    if (typeof (at(path) as Bag | undefined)?.[close] === 'function') call(path, close)
  },
})

/** Clicks an element as soon as a widget has drawn it. */
function clickWhenThere(find: () => HTMLElement | null | undefined): void {
  const found = find()
  if (found) return found.click()
  const watch = new MutationObserver(() => {
    const drawn = find()
    if (!drawn) return
    watch.disconnect()
    drawn.click()
  })
  watch.observe(document.body, { childList: true, subtree: true })
}

interface Vapi {
  on?: (event: string, listener: () => void) => void
  stop?: () => void
}
let vapi: Vapi | undefined
let vapiEmbed: { destroy?: () => void } | undefined

/** The providers' widgets. Pages fetch this file only where the setting names one of them. */
export const voiceWidgets: Record<Exclude<VoiceProvider, 'deskbell'>, VoiceWidget> = {
  // https://docs.vapi.ai, the html-script-tag package: run() once, then its own button.
  vapi: {
    isReady: () => typeof at('vapiSDK.run') === 'function',
    open: ({ apiKey, assistant }, tell) => {
      if (!vapi) {
        const instance = call('vapiSDK', 'run', { apiKey, assistant }) as Vapi | undefined
        instance?.on?.('call-start', () => tell('started'))
        instance?.on?.('call-end', () => tell('ended'))
        instance?.on?.('error', () => tell('failed'))
        vapi = instance ?? {}
      }
      clickWhenThere(() => document.querySelector<HTMLElement>('#vapi-support-btn'))
    },
    close: () => vapi?.stop?.(),
  },

  // The embed of @vapi-ai/client-sdk-react: it opens by itself when its session key says so.
  'vapi-embed': {
    isReady: () => typeof at('WidgetLoader') === 'function',
    open: ({ publicKey, assistantId }, tell) => {
      vapiEmbed?.destroy?.()
      sessionStorage.setItem('vapi_widget_expanded', 'true')
      const container = document.body.appendChild(document.createElement('div'))
      const Loader = at('WidgetLoader') as new (options: Bag) => NonNullable<typeof vapiEmbed>
      vapiEmbed = new Loader({
        container,
        component: 'VapiWidget',
        props: { publicKey, assistantId, mode: 'voice' },
      })
      tell('started')
    },
    close: () => {
      sessionStorage.removeItem('vapi_widget_expanded')
      vapiEmbed?.destroy?.()
      vapiEmbed = undefined
    },
  },

  // @elevenlabs/convai-widget-core listens on the document. Without a user-id it makes a fingerprint of the browser.
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
    events: (_, tell) => document.addEventListener('elevenlabs-convai:call', () => tell('started')),
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
    isReady: () => typeof at('voiceflow.chat.load') === 'function',
    open: async ({ projectID }) => {
      await call('voiceflow.chat', 'load', {
        verify: { projectID },
        url: 'https://general-runtime.voiceflow.com',
        versionID: 'production',
      })
      call('voiceflow.chat', 'open')
    },
    close: () => void call('voiceflow.chat', 'close'),
  },

  dograh: {
    ...globalObject(() => ({ path: 'DograhWidget', open: 'start', close: 'end' })),
    events: (_, tell) => {
      const widget = at('DograhWidget') as Bag
      widget.onCallStart = () => tell('started')
      widget.onCallEnd = () => tell('ended')
      widget.onError = () => tell('failed')
    },
  },

  // Any other: PUBLIC_VOICE_WIDGET=global?script=https://…&global=Acme.voice&open=start&close=stop
  global: globalObject(({ global = '', open = 'open', close = 'close' }) => ({ path: global, open, close })),
}
