import { useEffect, useRef } from 'react'

/**
 * Lets the round button start the customer's own agent, as the buttons of the same name in the page do. Elsewhere it
 * starts the site's (page-scripts/voice-demo.ts).
 * @param start null leaves it to the site's
 */
export function useRoundButton(start: (() => void) | null): void {
  const latest = useRef(start)
  useEffect(() => {
    latest.current = start
  })
  useEffect(() => {
    const take = (event: MouseEvent): void => {
      const isButton = event.target instanceof Element && event.target.closest('[data-voice-demo]')
      if (!isButton || !latest.current) return
      event.stopPropagation()
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('click', take)
    return () => document.removeEventListener('click', take)
  }, [])
}
