import { useId, useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { button } from '#platform/domain/variants.ts'

interface Props {
  title: string
  children: ReactNode
  /** The text of the button that confirms. It is red unless the action harms nothing. */
  action: string
  isHarmless?: boolean
  /** The action is running: the buttons do nothing but keep the focus, and Escape does not close the dialog. */
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/**
 * Asks for confirmation before something is done that cannot be undone or that a customer notices. It is the browser's
 * own modal dialog, which keeps the focus, closes with Escape and returns the focus. It needs no style elements, which
 * the content security policy forbids.
 */
export function ConfirmDialog({
  title,
  children,
  action,
  isHarmless = false,
  isBusy = false,
  onConfirm,
  onCancel,
}: Props): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The focus returns only if the dialog is closed before it leaves the page.
  const isUnmounting = useRef(false)
  useLayoutEffect(() => {
    const element = dialog.current
    isUnmounting.current = false
    element?.showModal()
    return () => {
      isUnmounting.current = true
      element?.close()
    }
  }, [])
  // A page can prevent one Escape, not every one, and a phone's back gesture closes the dialog too.
  const onClosed = (): void => {
    if (isUnmounting.current) return
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
      onClose={onClosed}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) onConfirm()
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
          <button
            className={button({ kind: 'other' })}
            type="button"
            aria-disabled={isBusy}
            onClick={isBusy ? undefined : onCancel}
          >
            Cancel
          </button>
          <button
            className={isHarmless ? button() : button({ kind: 'danger' })}
            type="submit"
            aria-disabled={isBusy}
            // The second click of a double click that opened the dialog confirms nothing.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  )
}
