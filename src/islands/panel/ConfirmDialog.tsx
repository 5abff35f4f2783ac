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
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => (isBusy ? event.preventDefault() : onCancel())}
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
