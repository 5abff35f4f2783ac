import { useId, useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react'

interface Props {
  title: string
  children: ReactNode
  /** What the red button does, in a word or two. */
  action: string
  /** It is being done: nothing can be pressed, and Escape does not close. */
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/**
 * Asks before something is gone. The browser's own modal dialog: it holds the focus, closes with Escape and gives the
 * focus back; and it needs no style elements, which the content policy forbids.
 */
export function ConfirmDialog({
  title,
  children,
  action,
  isBusy = false,
  onConfirm,
  onCancel,
}: Props): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed while it is still in the page: only then does the focus return.
  const isGone = useRef(false)
  useLayoutEffect(() => {
    const element = dialog.current
    isGone.current = false
    element?.showModal()
    return () => {
      isGone.current = true
      element?.close()
    }
  }, [])
  // A browser lets a page stop one Escape, not every one; the gesture of a phone closes, too.
  const closed = (): void => {
    if (isGone.current) return
    if (isBusy) dialog.current?.showModal()
    else onCancel()
  }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => isBusy && event.preventDefault()}
      onClose={closed}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <header>
          <h2 className="dt" id={`${id}-title`}>
            {title}
          </h2>
        </header>
        <div className="body" id={`${id}-text`}>
          {children}
        </div>
        <footer>
          <button className="btn two" type="button" disabled={isBusy} onClick={onCancel}>
            Cancel
          </button>
          <button className="btn danger" type="submit" disabled={isBusy}>
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  )
}
