import { serviceStatus } from '#marketing/domain/service-status.ts'

const line = document.querySelector<HTMLElement>('[data-service-status]')!

async function show(): Promise<void> {
  const answer = await fetch('/.netlify/functions/health').then(
    ({ status }) => status,
    () => undefined,
  )
  line.textContent = serviceStatus(answer)
}

line.textContent = 'Asking how the service is...'
line.hidden = false
new IntersectionObserver((entries, observer) => {
  if (!entries.some(({ isIntersecting }) => isIntersecting)) return
  observer.disconnect()
  void show()
}).observe(line)
