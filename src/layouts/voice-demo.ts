/** Every `data-voice-demo` button opens the voice agent; where there is none, a toast says so. */
addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-voice-demo]')) return
  void Promise.all([import('#stores/toast.ts'), import('#domain/toasts.ts')]).then(
    ([{ raiseToast }, { toasts }]) => raiseToast(toasts.demoNotAvailable),
  )
})
