import type { ReactElement } from 'react'

interface Props {
  id: string
  label: string
  hint?: string
  /** What is wrong with it, in a sentence. */
  problem?: string | undefined
  readOnly?: boolean
  autoComplete?: 'email' | 'username'
}

/** An e-mail field that keeps its own text: what was typed before the script arrived, or before a failure, stays. */
export function EmailField(props: Props): ReactElement {
  const { id, label, hint, problem, readOnly = false, autoComplete = 'email' } = props
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        name="email"
        type="email"
        inputMode="email"
        autoComplete={autoComplete}
        spellCheck={false}
        placeholder="you@yourbusiness.com"
        maxLength={254}
        required
        readOnly={readOnly}
        aria-invalid={problem !== undefined}
        aria-describedby={described || undefined}
      />
      {problem && (
        <p className="err" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      {hint && (
        <p className="sm dim" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
