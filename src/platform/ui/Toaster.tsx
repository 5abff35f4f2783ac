import * as RadixToast from '@radix-ui/react-toast'
import { useStore } from '@nanostores/react'
import { useRef, type FocusEvent, type ReactElement } from 'react'
import { $toast, dismissToast } from '#platform/browser/toast.ts'

/** Milliseconds until a toast closes by itself, and pixels of a swipe to the right that close it (section 9). */
const duration = 5_000
const swipeThreshold = 50
const list =
  'pointer-events-none fixed inset-x-0 top-0 z-9 grid justify-items-center p-2 outline-0 *:pointer-events-auto md:top-16 md:left-auto md:justify-items-end md:px-pad md:py-4'
const box = [
  'grid lamp w-[min(100%,26rem)] grid-cols-[auto_1fr_auto] items-start gap-x-3.5 gap-y-1 rounded-strip border border-(--toast-edge) py-3.5 pr-2 pl-4 [box-shadow:var(--toast-shadow)] before:mt-1.5 before:size-3',
  // F8 focuses the list; the focus ring is drawn around the toast in it.
  '[:focus-visible>&]:outline-offset-3 [:focus-visible>&]:[outline:3px_solid_var(--color-signal-text)] [&_:focus-visible]:-outline-offset-4 [&_:focus-visible]:outline-current',
  '[touch-action:pan-y] data-[swipe=cancel]:[transform:none] data-[swipe=cancel]:[transition:transform_0.2s_var(--ease-key)] data-[swipe=move]:[transform:translateX(var(--radix-toast-swipe-move-x))]',
  'motion-safe:data-[state=open]:animate-[toast-in_0.2s_var(--ease-key)] motion-safe:data-[swipe=end]:animate-[toast-out_0.16s_ease-in_forwards]',
].join(' ')
const tones = {
  default: 'bg-ink text-on-ink [--lamp-edge:transparent] [--lamp:var(--toast-ok)]',
  /** Neither a success nor a failure: the half lamp, which means waiting. */
  notice: 'bg-ink text-on-ink lamp-half',
  destructive: 'bg-bad-solid text-on-enamel [--lamp-gap:var(--color-bad-solid)] lamp-bar',
}
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
            className={`${box} ${tones[raised.toast.variant]}`}
            data-toast={raised.toast.variant}
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
                  <a className="inline-block py-2.5 text-sm" href={raised.toast.link.href}>
                    {raised.toast.link.label}
                  </a>
                </RadixToast.Action>
              )}
            </div>
            <RadixToast.Close className="-my-2.5 grid size-11 place-items-center" aria-label="Dismiss">
              <svg className="size-4 stroke-current stroke-[1.75]" viewBox="0 0 16 16" aria-hidden="true">
                <path d="M2 2l12 12M14 2 2 14" />
              </svg>
            </RadixToast.Close>
          </RadixToast.Root>
        )}
        <RadixToast.Viewport
          className={list}
          hotkey={raised ? hotkey : noHotkey}
          label="Notifications (F8)"
        />
      </RadixToast.Provider>
    </div>
  )
}
