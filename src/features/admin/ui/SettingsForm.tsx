import { useState, type SubmitEvent } from 'react'
import { site } from '#site'
import { cleanText } from '#admin/domain/admin-data.ts'
import { emailProblem } from '#platform/domain/email.ts'
import { saveSiteSettings, type SiteSettings } from '#admin/browser/site-settings.ts'

interface Props {
  settings: SiteSettings
  onSaved: (settings: SiteSettings) => void
}

type Saving =
  | { status: 'editing' }
  | { status: 'saving' }
  | { status: 'saved' }
  | { status: 'failed'; reason: string }
  /** Somebody else has saved since: what the server holds, which the next press writes over. */
  | { status: 'conflict'; theirs: SiteSettings }

const orNull = (text: FormDataEntryValue | null): string | null => cleanText(String(text ?? '')) || null

/** Contact address, maintenance notice, storage for exports: each does something as soon as it is set. */
export function SettingsForm({ settings, onSaved }: Props) {
  const [saving, setSaving] = useState<Saving>({ status: 'editing' })
  const [version, setVersion] = useState(settings.updatedAt)
  const [problem, setProblem] = useState<string>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (saving.status === 'saving') return
    const form = event.currentTarget
    const fields = new FormData(form)
    const contactEmail = orNull(fields.get('email'))
    const found = contactEmail === null ? undefined : emailProblem(contactEmail)
    setProblem(found)
    if (found) return form.querySelector<HTMLElement>('[name=email]')?.focus()
    setSaving({ status: 'saving' })
    const outcome = await saveSiteSettings({
      contactEmail,
      maintenanceNotice: orNull(fields.get('notice')),
      backupBucket: orNull(fields.get('bucket')),
      updatedAt: version,
    })
    if (outcome.kind === 'failed') return setSaving({ status: 'failed', reason: outcome.reason })
    setVersion(outcome.settings.updatedAt)
    if (outcome.kind === 'conflict') return setSaving({ status: 'conflict', theirs: outcome.settings })
    setSaving({ status: 'saved' })
    onSaved(outcome.settings)
  }

  const typed = (): void => {
    if (saving.status === 'saved' || saving.status === 'failed') setSaving({ status: 'editing' })
  }
  return (
    <form className="form" noValidate onSubmit={(event) => void submit(event)} onChange={typed}>
      <div className="field">
        <label htmlFor="contact-email">Contact email</label>
        <input
          className="input"
          id="contact-email"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          placeholder={site.email}
          defaultValue={settings.contactEmail ?? ''}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? 'contact-email-problem contact-email-hint' : 'contact-email-hint'}
        />
        {problem && (
          <p className="err" id="contact-email-problem" role="alert">
            {problem}
          </p>
        )}
        <p className="sm dim" id="contact-email-hint">
          Where visitors write to: in the footer, on the FAQ page and in the legal texts. Empty: {site.email}.
        </p>
      </div>
      <div className="field">
        <label htmlFor="notice">Maintenance notice</label>
        <textarea
          className="input"
          id="notice"
          name="notice"
          rows={2}
          maxLength={280}
          defaultValue={settings.maintenanceNotice ?? ''}
          aria-describedby="notice-hint"
        />
        <p className="sm dim" id="notice-hint">
          Stands above every public page once you publish. Empty: no notice.
        </p>
      </div>
      <div className="field">
        <label htmlFor="bucket">Storage for exports and backups</label>
        <input
          className="input"
          id="bucket"
          name="bucket"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          defaultValue={settings.backupBucket ?? ''}
          aria-describedby="bucket-hint"
        />
        <p className="sm dim" id="bucket-hint">
          The name of a private bucket, such as backups. Empty: exports and backups are off.
        </p>
      </div>
      {saving.status === 'conflict' && (
        <div className="stack" role="alert">
          <p className="err">Somebody else saved other settings meanwhile. On the server:</p>
          <dl className="ledger sm">
            {[
              ['Contact email', saving.theirs.contactEmail],
              ['Maintenance notice', saving.theirs.maintenanceNotice],
              ['Storage', saving.theirs.backupBucket],
            ].map(([term, text]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd className="break">{text ?? 'Not set'}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {saving.status === 'failed' && (
        <p className="err" role="alert">
          {saving.reason} Your entries are still here.
        </p>
      )}
      <div className="btns">
        <button className="btn" type="submit" aria-disabled={saving.status === 'saving'}>
          {saving.status === 'saving'
            ? 'Saving...'
            : saving.status === 'conflict'
              ? 'Save mine instead'
              : 'Save settings'}
        </button>
        <p className="ok-note sm" role="status">
          {saving.status === 'saved' && 'Saved'}
        </p>
      </div>
    </form>
  )
}
