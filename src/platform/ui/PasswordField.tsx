import { useState, type ReactElement } from 'react'

interface Props {
  id: string
  name: string
  label: string
  hint?: string
  autoComplete: 'current-password' | 'new-password'
  problem?: string | undefined
  readOnly?: boolean
  onType?: (text: string) => void
}

/** A password field with its show/hide toggle. It keeps its own text. */
export function PasswordField(props: Props): ReactElement {
  const { id, name, label, hint, autoComplete, problem, readOnly = false, onType } = props
  const [isShown, setShown] = useState(false)
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="reveal">
        <input
          className="input"
          id={id}
          name={name}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize={isShown ? 'none' : undefined}
          autoCorrect="off"
          spellCheck={false}
          required
          readOnly={readOnly}
          onInput={({ currentTarget }) => onType?.(currentTarget.value)}
          aria-invalid={problem !== undefined}
          aria-describedby={described || undefined}
        />
        <button className="text" type="button" aria-controls={id} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span className="sr"> {label.toLowerCase()}</span>
        </button>
      </div>
      {problem && (
        <p className="err" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      {hint && (
        <p className="sm dim" id={`${id}-hint`} aria-live="polite">
          {hint}
        </p>
      )}
    </div>
  )
}
