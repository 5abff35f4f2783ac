import { conversationEvent } from '#platform/browser/conversation.ts'
import { storageKey } from '#site'
import { tendRoundButtons } from './round-buttons.ts'
import { agent, showUnavailable, tester } from './voice-agent.ts'

// Every `data-voice-demo` button starts a conversation.
addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('[data-voice-demo]')
  if (!button) return
  event.preventDefault()
  void start(button)
})

async function start(button: Element): Promise<void> {
  if (button.hasAttribute('aria-busy')) return
  button.setAttribute('aria-busy', 'true')
  if (!(await agent?.start())) showUnavailable()
  button.removeAttribute('aria-busy')
}

// Islands start a test by an event, whose detail is the role of the customer's agent.
addEventListener(conversationEvent, async (event) => {
  if (!(await tester?.start((event as CustomEvent<unknown>).detail))) showUnavailable()
})

agent?.whenReady(() => {
  document.querySelector('[data-voice-loaded]')?.removeAttribute('hidden')
  tendRoundButtons()
})

/** The events at which the widget is fetched before the page is idle: any sign that the visitor uses the page. */
const interactionEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll']
/** The delay after a failed fetch before an interaction may start another one. */
const retryDelayMs = 3_000
async function fetchWidget(): Promise<void> {
  for (const type of interactionEvents) removeEventListener(type, fetchWidget)
  if (agent && !(await agent.load())) setTimeout(listen, retryDelayMs)
}
const listen = (): void => {
  for (const type of interactionEvents) addEventListener(type, fetchWidget, { passive: true })
}
listen()
try {
  // A stored conversation continues, so the widget is needed at once.
  if (sessionStorage.getItem(storageKey('conversation'))) void fetchWidget()
} catch {
  // Storage is not available.
}

/** The delay that stands for an idle page in a browser that does not report one (Safari), in milliseconds. */
const idleDelayMs = 2_000
const fetchWhenIdle = (): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(() => void fetchWidget())
  else setTimeout(() => void fetchWidget(), idleDelayMs)
}
if (document.readyState === 'complete') fetchWhenIdle()
else addEventListener('load', fetchWhenIdle)

// Escape hides the names beside the round buttons.
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape')
    document.querySelector('[data-ring]:is(:hover, :focus)')?.setAttribute('data-quiet', '')
})
