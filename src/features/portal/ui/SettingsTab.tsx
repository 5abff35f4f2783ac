import { useState, type SubmitEvent } from 'react'
import { useStore } from '@nanostores/react'
import { currentUser, updatePassword, type User } from '#account/browser/session.ts'
import { runCommonCommand } from '#platform/browser/common-commands.ts'
import { editedField } from '#platform/browser/form-fields.ts'
import { NewPasswordFields } from '#account/ui/NewPasswordFields.tsx'
import { Connections } from '#connections/ui/Connections.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { ExportData } from './ExportData.tsx'
import { problemAt } from '#platform/domain/field-problem.ts'
import { SubmitButton } from '#platform/ui/SubmitButton.tsx'
import { createPasswordChangeFlow } from '#account/ui/password-change-flow.ts'

interface Props {
  user: User
  onLogout: () => void
  onDeleted: () => void
}

const formId = 'password-change'
const form = (): HTMLFormElement | null => document.querySelector<HTMLFormElement>(`#${formId}`)

/** E-mail address, password, log-out, integrations, export of the customer's data, and deletion of the account. */
export function SettingsTab({ user, onLogout, onDeleted }: Props) {
  const { email } = user
  const [flow] = useState(() =>
    createPasswordChangeFlow({
      updatePassword,
      emptyFields: () => form()?.reset(),
      runCommon: runCommonCommand,
    }),
  )
  const state = useStore(flow.state)
  const problem = state.step === 'editing' ? state.problem : undefined
  const isSaving = state.step === 'saving'

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const signedIn = (await currentUser()) !== null
    const text = (name: string): string => String(fields.get(name) ?? '')
    flow.send({
      type: 'submitted',
      signedIn,
      password: text('password'),
      confirmation: text('confirmation'),
    })
  }

  return (
    <section>
      <div className="frame row">
        <div className="c8 tall stack">
          <h1 className="mid">Settings</h1>
          <form
            className="form"
            id={formId}
            noValidate
            onInput={(event) => flow.send({ type: 'edited', field: editedField(event) })}
            onSubmit={(event) => void submit(event)}
          >
            <AccountEmail key={email} email={email} />
            <h2 className="h4">Change your password</h2>
            <NewPasswordFields problem={problem} readOnly={isSaving} />
            <SubmitButton disabled={isSaving} {...problemAt('submit', problem)}>
              {isSaving ? 'Saving...' : 'Update password'}
            </SubmitButton>
          </form>
        </div>
        <div className="tall stack">
          <h2 className="label">This browser</h2>
          <p className="dim">Logs you out in every tab of this browser.</p>
          <button className="btn two" type="button" onClick={onLogout}>
            Logout
          </button>
        </div>
      </div>
      <Connections />
      <div className="frame row rule">
        <ExportData user={user} />
        <DeleteAccount email={email} onDeleted={onDeleted} />
      </div>
    </section>
  )
}

const AccountEmail = ({ email }: { email: string }) => (
  <div className="field">
    <label htmlFor="account-email">Email</label>
    <input
      className="input"
      id="account-email"
      type="email"
      autoComplete="username"
      defaultValue={email}
      readOnly
    />
  </div>
)
