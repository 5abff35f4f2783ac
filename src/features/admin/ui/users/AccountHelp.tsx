import { useState } from 'react'
import { creditMinutes, mailPasswordLink, writeNote, type UserAccount } from '#admin/browser/user-account.ts'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { changedStatus } from '#admin/domain/status-change.ts'
import { noteMaxLength } from '#admin/domain/users.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { button } from '#platform/domain/variants.ts'
import { buttonRow } from '#platform/domain/app-variants.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { ConfirmStatus } from './ConfirmStatus.tsx'

interface Props {
  id: string
  account: UserAccount
  /** The account as the list of users has it. */
  user: AdminUser
  /** Is called after a change, so that the page reads it. */
  changed: () => void
}

/** What an admin can do for a customer: mail a link, block or activate, give back minutes, write a note. */
export function AccountHelp({ id, account, user, changed }: Props) {
  const { addUser, updateUser } = useAdminData()
  const [isAsked, setAsked] = useState(false)
  const { email, subscription, minutesUsed } = account
  return (
    <div className="grid content-start gap-6">
      <h2 className="text-h4">Help</h2>
      <div className={buttonRow}>
        <RowAction
          name="Send password link"
          busy="Sending..."
          done={`It is on its way to ${email}.`}
          target={`to ${email}`}
          action={() => mailPasswordLink(email)}
          onDone={changed}
        />
        {subscription !== null && !account.is_admin && (
          <button
            className={button({ kind: 'other', size: 'small' })}
            type="button"
            onClick={() => setAsked(true)}
          >
            {changedStatus(user) === 'blocked' ? 'Block' : 'Activate'}
          </button>
        )}
      </div>
      <NoteForm id={id} changed={changed} />
      {subscription !== null && minutesUsed > 0 && (
        <CreditForm id={id} used={minutesUsed} changed={changed} />
      )}
      {isAsked && (
        <ConfirmStatus
          user={user}
          onCancel={() => setAsked(false)}
          onConfirm={(reason) => {
            setAsked(false)
            // The list may not have this account.
            if (!user.unsaved) addUser(user)
            updateUser(id, { subscriptionStatus: changedStatus(user), reason })
          }}
        />
      )}
    </div>
  )
}

interface FormProps {
  id: string
  changed: () => void
}

function NoteForm({ id, changed }: FormProps) {
  const { problem, isPending, formProps } = useForm<'note'>()
  return (
    <form
      className="grid gap-3"
      {...formProps(async (typed, form) => {
        const note = typed('note')
        if (note.trim() === '') return { problem: { field: 'note', message: 'Enter a note.' } }
        if (textProblem(note, noteMaxLength) !== undefined) return undefined
        const written = await writeNote(id, note)
        if (!written.ok) return { problem: { field: 'note', message: written.failure.message } }
        form.reset()
        changed()
        return undefined
      })}
    >
      <FormField
        id="note"
        name="note"
        label="Note"
        hint="Only admins read it."
        rows={2}
        longest={noteMaxLength}
        problem={problem?.message}
        isAlert
      />
      <p>
        <button className={button({ kind: 'other', size: 'small' })} type="submit" aria-disabled={isPending}>
          Save note
        </button>
      </p>
    </form>
  )
}

function CreditForm({ id, used, changed }: FormProps & { used: number }) {
  const { problem, isPending, formProps } = useForm<'minutes' | 'why'>()
  /** The name of this press; a press whose answer was lost credits once. */
  const [request, setRequest] = useState(() => crypto.randomUUID())
  return (
    <form
      className="grid gap-3"
      {...formProps(async (typed, form) => {
        const minutes = Number(typed('minutes'))
        const why = typed('why')
        if (!Number.isInteger(minutes) || minutes < 1 || minutes > used)
          return {
            problem: { field: 'minutes', message: `Enter a whole number from 1 to ${grouped(used)}.` },
          }
        if (why.trim() === '') return { problem: { field: 'why', message: 'Enter why.' } }
        if (textProblem(why, noteMaxLength) !== undefined) return undefined
        const credited = await creditMinutes(id, { minutes, why, request })
        if (!credited.ok) return { problem: { field: 'minutes', message: credited.failure.message } }
        form.reset()
        setRequest(crypto.randomUUID())
        changed()
        return undefined
      })}
    >
      <div className="grid items-start gap-3 md:grid-cols-[10rem_1fr]">
        <FormField
          id="minutes"
          name="minutes"
          label="Give back minutes"
          inputMode="numeric"
          autoComplete="off"
          problem={problem?.field === 'minutes' && problem.message}
          isAlert
        />
        <FormField
          id="why"
          name="why"
          label="Why"
          autoComplete="off"
          longest={noteMaxLength}
          problem={problem?.field === 'why' && problem.message}
          isAlert
        />
      </div>
      <p>
        <button className={button({ kind: 'other', size: 'small' })} type="submit" aria-disabled={isPending}>
          Give back
        </button>
      </p>
    </form>
  )
}
