import { useEffect, useEffectEvent, useRef, useState, type InputEvent, type SubmitEvent } from 'react'
import { withoutField, type FieldProblem, type Outcome } from '#platform/domain/field-problem.ts'
import { editedField, focusField } from '#platform/browser/storage/form-fields.ts'
import { openPage, replacePage } from '#platform/browser/navigation.ts'
import { dismissToast, raiseToast, raiseToastForNextPage } from '#platform/browser/toast.ts'
import { useInBrowser } from '#platform/ui/hooks/useInBrowser.ts'

/** An attempt returns undefined if the component itself shows how it ended. */
type Attempt<Field extends string> = () => Promise<Outcome<Field> | undefined>

interface Options<Field extends string> {
  /** Focuses the field of a problem; by default the element with its id. */
  focus?: (field: Field) => void
  /** Is called if the browser shows this page again after an attempt has led to another one. */
  onReturn?: () => void
}

/** Resolves if the browser shows this page again from its back-forward cache. */
const shownAgain = (): Promise<void> =>
  new Promise((resolve) => {
    const shown = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return
      removeEventListener('pageshow', shown)
      resolve()
    }
    addEventListener('pageshow', shown)
  })

/**
 * Runs the attempts of a form, and shows how each ends: at a field, by a toast, or on another page.
 *
 * - One attempt runs at a time, so a second press does nothing. `isPending` is true meanwhile, and once another page is being
 *   opened, until this one is left.
 * - A problem stays until it is corrected or the next attempt begins. The toast that announces it leaves with it.
 * - An attempt ends even if its component has gone: its toast is raised, its page opened.
 * - An attempt that throws has a bug: the error is reported, and the form can be sent again.
 */
export function useForm<Field extends string>({ focus = focusField, onReturn }: Options<Field> = {}) {
  const [problem, setProblem] = useState<FieldProblem<Field>>()
  // No transition of React's: it ends all that are open on a page together, so a request that hangs would hold every form.
  const [isPending, setPending] = useState(false)
  const isHydrated = useInBrowser(() => true, false)
  const current = useRef<{ isRunning: boolean; problem?: FieldProblem<Field>; toast?: number }>({
    isRunning: false,
  })

  /** The problem as the attempt ended with it; what is left of it after an edit takes no focus. */
  const [reported, setReported] = useState<FieldProblem<Field>>()
  const focusProblem = useEffectEvent(focus)
  useEffect(() => {
    // The button can be focused once it is enabled again.
    if (reported && !isPending) focusProblem(reported.field)
  }, [reported, isPending])

  const clear = (): void => {
    const { isRunning, toast } = current.current
    if (toast !== undefined) dismissToast(toast)
    current.current = { isRunning }
    setProblem(undefined)
    setReported(undefined)
  }

  const show = async ({ problem, toast, goTo, replace }: Outcome<Field>): Promise<void> => {
    if (goTo !== undefined) {
      if (toast) raiseToastForNextPage(toast)
      if (replace) replacePage(goTo)
      else openPage(goTo)
      return shownAgain()
    }
    const announced = problem ? problem.toast : toast
    if (announced) current.current.toast = raiseToast(announced)
    if (!problem) return
    current.current.problem = problem
    setProblem(problem)
    setReported(problem)
  }

  /** Runs an attempt, unless one is running. */
  const attempt = async (run: Attempt<Field>): Promise<void> => {
    if (current.current.isRunning) return
    clear()
    current.current.isRunning = true
    setPending(true)
    let outcome: Outcome<Field> | undefined
    try {
      outcome = await run()
      if (outcome) await show(outcome)
    } catch (error) {
      reportError(error)
    }
    current.current.isRunning = false
    setPending(false)
    if (outcome?.goTo !== undefined) onReturn?.()
  }

  /** Removes what an edit of this field corrects. */
  const edited = (field: string): void => {
    const { isRunning, problem } = current.current
    if (isRunning || !problem) return
    const left = withoutField(problem, field)
    if (!left) return clear()
    current.current.problem = left
    setProblem(left)
  }

  return {
    problem,
    isPending,
    canSubmit: isHydrated && !isPending,
    attempt,
    edited,
    /**
     * Returns the properties of the `form` element.
     * @param run is called with a function that returns what is typed into the field with a name, and with the form
     */
    formProps: (
      run: (typed: (name: string) => string, form: HTMLFormElement) => ReturnType<Attempt<Field>>,
    ) => ({
      noValidate: true,
      'aria-busy': isPending,
      onInput: (event: InputEvent<HTMLFormElement>) => edited(editedField(event)),
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const form = event.currentTarget
        const fields = new FormData(form)
        void attempt(() => run((name) => String(fields.get(name) ?? ''), form))
      },
    }),
  }
}
