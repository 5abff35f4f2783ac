import { conversationEvent } from '#stores/conversation.ts'
import { storageKey } from '#site'
import { agent, sayMissing } from './voice-agent.ts'

/** Every `data-voice-demo` button starts a conversation; where there is no agent, a toast says so. */
addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('[data-voice-demo]')
  if (button) void start(button)
})

async function start(button: Element): Promise<void> {
  if (button.hasAttribute('aria-busy')) return
  button.setAttribute('aria-busy', 'true')
  if (!(await agent.start())) await sayMissing()
  button.removeAttribute('aria-busy')
}

/** Islands ask by an event, and say which agent they mean. */
addEventListener(conversationEvent, (event) => {
  void agent.start((event as CustomEvent<unknown>).detail).then((isThere) => {
    if (!isThere) void sayMissing()
  })
})

agent.whenReady(() => document.querySelector('[data-voice-loaded]')?.removeAttribute('hidden'))

/** The widget is fetched when somebody does anything at all here, or is in the middle of a conversation. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll']
function meant(): void {
  // Nobody else's script may find a token in the address; the page's own takes it out first.
  if (location.search.includes('token=')) return
  for (const sign of signs) removeEventListener(sign, meant)
  agent.load()
}
for (const sign of signs) addEventListener(sign, meant, { passive: true })
try {
  if (sessionStorage.getItem(storageKey('conversation'))) meant()
} catch {
  // Storage is closed to this page.
}

/** The names beside the round buttons leave on Escape. */
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector('.ring:is(:hover, :focus)')?.setAttribute('data-quiet', '')
})
