/** Every `data-voice-demo` button opens the voice agent; where there is none, a toast says so. */
addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-voice-demo]')) void start()
})

async function start(): Promise<void> {
  const { startConversation } = await import('#clients/voice-widget.ts')
  if (startConversation()) return
  const [{ raiseToast }, { toasts }] = await Promise.all([
    import('#stores/toast.ts'),
    import('#domain/toasts.ts'),
  ])
  raiseToast(toasts.demoNotAvailable)
}
