import { useState, type ReactElement } from 'react'
import { passwordStrength, strengthHint } from '#account/domain/password-strength.ts'
import type { PasswordField as Field } from '#account/domain/passwords.ts'
import { PasswordField } from '#platform/ui/PasswordField.tsx'

interface Props {
  problem?: { field: Field; message: string } | undefined
  readOnly?: boolean
}

/** A new password, twice. The fields' ids are their names in the domain: `password` and `confirmation`. */
export function NewPasswordFields({ problem, readOnly = false }: Props): ReactElement {
  const [typed, setTyped] = useState('')
  const problemOf = (field: Field): string | undefined =>
    problem?.field === field ? problem.message : undefined
  return (
    <>
      <PasswordField
        id="password"
        name="password"
        label="Password"
        hint={strengthHint[passwordStrength(typed)]}
        autoComplete="new-password"
        onType={setTyped}
        problem={problemOf('password')}
        readOnly={readOnly}
      />
      <PasswordField
        id="confirmation"
        name="confirmation"
        label="Confirm Password"
        autoComplete="new-password"
        problem={problemOf('confirmation')}
        readOnly={readOnly}
      />
    </>
  )
}
