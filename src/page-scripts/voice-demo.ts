import { conversationEvent } from '#platform/browser/conversation.ts'
import { storageKey } from '#site'
import { agent, sayMissing } from './voice-agent.ts'

/** Every `data-voice-demo` button starts a conversation; where there is no agent, a toast says so. */
addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('[data-voice-demo]')
  if (!button) return
  event.preventDefault()
  void start(button)
})

async function start(button: Element): Promise<void> {
  if (button.hasAttribute('aria-busy')) return
  button.setAttribute('aria-busy', 'true')
  if (!(await agent.start())) sayMissing()
  button.removeAttribute('aria-busy')
}

/** Islands ask by an event, and say which agent they mean. */
addEventListener(conversationEvent, (event) => {
  void agent.start((event as CustomEvent<unknown>).detail).then((isThere) => {
    if (!isThere) sayMissing()
  })
})

agent.whenReady(() => document.querySelector('[data-voice-loaded]')?.removeAttribute('hidden'))

/** The widget is fetched when somebody does anything at all here, or is in the middle of a conversation. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll']
/** How long nobody tries again after it could not be fetched, in milliseconds. */
const pause = 3_000
async function meant(): Promise<void> {
  // Nobody else's script may find a token in the address; the page's own takes it out first.
  if (location.search.includes('token=')) return
  for (const sign of signs) removeEventListener(sign, meant)
  if (!(await agent.load())) setTimeout(watch, pause)
}
const watch = (): void => {
  for (const sign of signs) addEventListener(sign, meant, { passive: true })
}
watch()
try {
  if (sessionStorage.getItem(storageKey('conversation'))) void meant()
} catch {
  // Storage is closed to this page.
}

/** The names beside the round buttons leave on Escape. */
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector('.ring:is(:hover, :focus)')?.setAttribute('data-quiet', '')
})
