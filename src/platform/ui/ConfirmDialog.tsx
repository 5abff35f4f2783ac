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
      className="m-auto w-[min(100%-2rem,30rem)] rounded-float border border-edge bg-panel p-0 text-ink [box-shadow:var(--shadow-float)] backdrop:bg-veil"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      // Answered at once: the browser says "close" later, after a next press has opened the dialog again.
      onCancel={(event) => {
        event.preventDefault()
        if (!isBusy) onCancel()
      }}
      onClose={onClosed}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) onConfirm()
        }}
      >
        <header className="px-6 pt-6 pb-3">
          <h2 className="text-[1.25rem]" id={`${id}-title`}>
            {title}
          </h2>
        </header>
        <div className="px-6 pb-6" data-body id={`${id}-text`}>
          {children}
        </div>
        {/* The buttons stay in sight while a long text is scrolled. */}
        <footer className="sticky bottom-0 flex items-center justify-end gap-3 border-t bg-panel px-6 py-4 max-md:flex-col-reverse max-md:items-stretch">
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
