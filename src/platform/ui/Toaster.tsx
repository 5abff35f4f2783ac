import * as RadixToast from '@radix-ui/react-toast'
import { useStore } from '@nanostores/react'
import { useRef, type FocusEvent, type ReactElement } from 'react'
import { $toast, dismissToast } from '#platform/browser/toast.ts'

/** Milliseconds until a toast closes by itself, and pixels of a swipe to the right that close it (section 9). */
const duration = 5_000
const swipeThreshold = 50
const classNames = { default: 'toast', notice: 'toast wait', destructive: 'toast bad' }
const hotkey = ['F8']
const noHotkey: string[] = []

/** Shows one toast at a time. It closes after five seconds, by a swipe to the right or by its button. F8 focuses it. */
export function Toaster(): ReactElement {
  const raised = useStore($toast)
  const region = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)

  const rememberFocus = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
  }
  /** Returns the focus to where it was, if the toast has it when it closes. */
  const restoreFocus = (): void => {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLElement) || !region.current?.contains(activeElement)) return
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
    else activeElement.blur()
  }

  return (
    <div ref={region} onFocus={rememberFocus}>
      <RadixToast.Provider
        // Each toast has its own five seconds, even if the one before was paused.
        key={raised?.number}
        duration={duration}
        swipeDirection="right"
        swipeThreshold={swipeThreshold}
        label="Notification"
      >
        {raised && (
          <RadixToast.Root
            key={raised.number}
            className={classNames[raised.toast.variant]}
            onOpenChange={(isOpen) => {
              if (isOpen) return
              restoreFocus()
              dismissToast(raised.number)
            }}
          >
            <div>
              <RadixToast.Title asChild>
                <b>{raised.toast.title}</b>
              </RadixToast.Title>
              {raised.toast.description !== undefined && (
                <>
                  {/* The texts are announced without a space between them. */}
                  <span className="sr-only">. </span>
                  <RadixToast.Description asChild>
                    <p className="text-sm">{raised.toast.description}</p>
                  </RadixToast.Description>
                </>
              )}
              {raised.toast.link && (
                <RadixToast.Action asChild altText={raised.toast.link.label}>
                  <a className="text-sm" href={raised.toast.link.href}>
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
