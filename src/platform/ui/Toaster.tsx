import * as RadixToast from '@radix-ui/react-toast'
import { useStore } from '@nanostores/react'
import { useRef, type FocusEvent, type ReactElement } from 'react'
import { $toast, dismissToast } from '#platform/browser/toast.ts'

/** Milliseconds until a toast goes by itself, and pixels of a swipe to the right that send it away (section 9). */
const duration = 5_000
const swipeThreshold = 50
const hotkey = ['F8']
const noHotkey: string[] = []

/** One toast at a time; it goes after five seconds, by a swipe to the right, or by its button. F8 leads to it. */
export function Toaster(): ReactElement {
  const raised = useStore($toast)
  const region = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)

  const enter = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
  }
  /** Whoever is at the toast when it goes is put back to where they were. */
  const leave = (): void => {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLElement) || !region.current?.contains(activeElement)) return
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
    else activeElement.blur()
  }

  return (
    <div ref={region} onFocus={enter}>
      <RadixToast.Provider
        // Each toast begins its five seconds anew, whatever paused the one before.
        key={raised?.number}
        duration={duration}
        swipeDirection="right"
        swipeThreshold={swipeThreshold}
        label="Notification"
      >
        {raised && (
          <RadixToast.Root
            key={raised.number}
            className={raised.toast.variant === 'destructive' ? 'toast bad' : 'toast'}
            onOpenChange={(isOpen) => {
              if (isOpen) return
              leave()
              dismissToast(raised.number)
            }}
          >
            <div>
              <RadixToast.Title asChild>
                <b>{raised.toast.title}</b>
              </RadixToast.Title>
              {raised.toast.description !== undefined && (
                <RadixToast.Description asChild>
                  <p className="sm">{raised.toast.description}</p>
                </RadixToast.Description>
              )}
              {raised.toast.link && (
                <RadixToast.Action asChild altText={raised.toast.link.label}>
                  <a className="sm" href={raised.toast.link.href}>
                    {raised.toast.link.label}
                  </a>
                </RadixToast.Action>
              )}
            </div>
            <RadixToast.Close className="x" aria-label="Dismiss">
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d="M2 2l12 12M14 2 2 14" />
              </svg>
            </RadixToast.Close>
          </RadixToast.Root>
        )}
        <RadixToast.Viewport
          className="toasts"
          hotkey={raised ? hotkey : noHotkey}
          label="Notifications (F8)"
        />
      </RadixToast.Provider>
    </div>
  )
}
