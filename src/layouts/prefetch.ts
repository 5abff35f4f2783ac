import { isPublicPage } from '#domain/public-pages.ts'

/** How long a pointer or the focus rests on a link before that means something, in milliseconds. */
const intent = 80
const known = new Set([location.pathname])
let waiting = 0

/** Fetches the page behind a link that somebody is about to follow, once; not where they save data. */
function attend({ target }: Event): void {
  clearTimeout(waiting)
  const link = target instanceof Element && target.closest('a')
  if (!link || link.origin !== location.origin || known.has(link.pathname)) return
  if (
    !isPublicPage(link.pathname) ||
    (navigator as { connection?: { saveData?: boolean } }).connection?.saveData
  )
    return
  waiting = window.setTimeout(() => {
    known.add(link.pathname)
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', href: link.pathname }),
    )
  }, intent)
}

for (const sign of ['pointerover', 'focusin', 'touchstart']) addEventListener(sign, attend, { passive: true })
