import { changePassword } from '#account/browser/passwords/change-password.ts'
import { currentUser, updatePassword, type User } from '#account/browser/session.ts'
import type { PasswordField } from '#account/domain/passwords.ts'
import { NewPasswordFields } from '#account/ui/NewPasswordFields.tsx'
import { problemAt } from '#platform/domain/field-problem.ts'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { SubmitButton } from '#platform/ui/fields/SubmitButton.tsx'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { CallMails } from '#telephony/ui/CallMails.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { ExportData } from './ExportData.tsx'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { fieldGrid, fieldLabel, formGrid, inputBox, stack } from '#platform/domain/app-variants.ts'

interface Props {
  user: User
  onLogout: () => void
  onDeleted: () => void
}

const KeepDays = onDemand(
  async () => (await import('./KeepDays.tsx')).KeepDays,
  <p className="p-pad">Loading</p>,
)

const clients = { isSignedIn: async () => (await currentUser()) !== null, updatePassword }

/** Email address, password, log-out, who is emailed about calls, how long callers' data are kept, export of the customer's data, and deletion of the account. */
export function SettingsTab({ user, onLogout, onDeleted }: Props) {
  const { email } = user
  const { problem, isPending, formProps } = useForm<PasswordField>()

  return (
    <section>
      <div className={`${frame} ${gridRow}`}>
        <div className={cell({ span: 8, room: 'tall', class: stack })}>
          <h1 className="text-mid">Settings</h1>
          <form
            className={`${formGrid} mt-4`}
            {...formProps(async (typed, form) => {
              const passwords = { password: typed('password'), confirmation: typed('confirmation') }
              const outcome = await changePassword(passwords, clients)
              if (!outcome.problem) form.reset()
              return outcome
            })}
          >
            <AccountEmail key={email} email={email} />
            <h2 className="text-h4">Change your password</h2>
            <NewPasswordFields problem={problem} readOnly={isPending} />
            <SubmitButton disabled={isPending} {...problemAt('submit', problem)}>
              {isPending ? 'Saving...' : 'Update password'}
            </SubmitButton>
          </form>
        </div>
        <div className={cell({ room: 'tall', class: stack })}>
          <h2 className="text-label text-ink-2 uppercase">This browser</h2>
          <p className="text-ink-2">Logs you out in every tab of this browser.</p>
          <button className={button({ kind: 'other' })} type="button" onClick={onLogout}>
            Logout
          </button>
        </div>
      </div>
      <div className={`${frame} ${gridRow} border-t`}>
        <div className={cell({ span: 12, class: stack })}>
          <CallMails userId={user.id} />
        </div>
      </div>
      <div className={`${frame} ${gridRow} border-t`}>
        <KeepDays userId={user.id} />
      </div>
      <div className={`${frame} ${gridRow} border-t`}>
        <ExportData user={user} />
        <DeleteAccount email={email} onDeleted={onDeleted} />
      </div>
    </section>
  )
}

const AccountEmail = ({ email }: { email: string }) => (
  <div className={fieldGrid}>
    <label className={fieldLabel} htmlFor="account-email">
      Email
    </label>
    <input
      className={inputBox()}
      id="account-email"
      type="email"
      autoComplete="username"
      defaultValue={email}
      readOnly
    />
  </div>
)
