import { onVoiceWidget, startConversation } from '#clients/voice-widget.ts'

/** Every `data-voice-demo` button opens the voice agent; where there is none, a toast says so. */
addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-voice-demo]') && !startConversation())
    void sayMissing()
})

onVoiceWidget(() => document.querySelector('[data-voice-loaded]')?.removeAttribute('hidden'))

/** The names beside the round buttons leave on Escape. */
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector('.ring:is(:hover, :focus)')?.setAttribute('data-quiet', '')
})

async function sayMissing(): Promise<void> {
  const [{ raiseToast }, { toasts }] = await Promise.all([
    import('#stores/toast.ts'),
    import('#domain/toasts.ts'),
  ])
  raiseToast(toasts.demoNotAvailable)
}
