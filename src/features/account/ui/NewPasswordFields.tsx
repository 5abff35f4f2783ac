import { useEffect, useState, type ReactElement } from 'react'
import { passwordStrength, strengthHint } from '#account/domain/password-strength.ts'
import type { PasswordProblem } from '#account/domain/passwords.ts'
import { problemAt } from '#platform/domain/field-problem.ts'
import { PasswordField } from '#platform/ui/fields/PasswordField.tsx'

interface Props {
  problem?: PasswordProblem
  readOnly?: boolean
}

/** A new password, twice. The fields' ids are their names in the domain: `password` and `confirmation`. */
export function NewPasswordFields({ problem, readOnly = false }: Props): ReactElement {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    const form = document.querySelector<HTMLInputElement>('#password')?.form
    const empty = (): void => setTyped('')
    form?.addEventListener('reset', empty)
    return () => form?.removeEventListener('reset', empty)
  }, [])
  return (
    <>
      <PasswordField
        id="password"
        name="password"
        label="Password"
        hint={strengthHint[passwordStrength(typed)]}
        autoComplete="new-password"
        onType={setTyped}
        {...problemAt('password', problem)}
        readOnly={readOnly}
      />
      <PasswordField
        id="confirmation"
        name="confirmation"
        label="Confirm Password"
        autoComplete="new-password"
        {...problemAt('confirmation', problem)}
        readOnly={readOnly}
      />
    </>
  )
}
