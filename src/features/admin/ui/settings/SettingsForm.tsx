import { useState, type SubmitEvent } from 'react'
import { site } from '#site'
import { cleanText } from '#admin/domain/content/admin-data.ts'
import { emailProblem } from '#platform/domain/text/email.ts'
import { saveSiteSettings, type SiteSettings } from '#admin/browser/content/site-settings.ts'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'
import { Fact, Facts } from '#admin/ui/lists/Facts.tsx'
import { Problem } from '#platform/ui/Problem.tsx'

interface Props {
  settings: SiteSettings
  onSaved: (settings: SiteSettings) => void
}

type Saving =
  | { status: 'editing' }
  | { status: 'saving' }
  | { status: 'saved' }
  | { status: 'failed'; reason: string }
  /** Somebody else has saved other settings since. Pressing the button again overwrites them. */
  | { status: 'conflict'; theirs: SiteSettings }

/** The longest texts that the database accepts, in characters. */
const longest = { notice: 280, bucket: 100 }

const orNull = (text: FormDataEntryValue | null): string | null => cleanText(String(text ?? '')) || null

/** Asks for the contact address, the maintenance notice, and the storage for exports. */
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
    const tooLong = (['notice', 'bucket'] as const).find(
      (name) => String(fields.get(name) ?? '').length > longest[name],
    )
    if (tooLong) return form.querySelector<HTMLElement>(`[name=${tooLong}]`)?.focus()
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

  const onChange = (): void => {
    if (saving.status === 'saved' || saving.status === 'failed') setSaving({ status: 'editing' })
  }
  return (
    <form
      className="grid max-w-form gap-6"
      noValidate
      onSubmit={(event) => void submit(event)}
      onChange={onChange}
    >
      <FormField
        id="contact-email"
        label="Contact email"
        name="email"
        type="email"
        autoComplete="off"
        placeholder={site.email}
        defaultValue={settings.contactEmail ?? ''}
        problem={problem}
        isAlert
        hint={`Where visitors write to: in the footer, on the FAQ page and in the legal texts. Empty: ${site.email}.`}
      />
      <FormField
        id="notice"
        label="Maintenance notice"
        name="notice"
        rows={2}
        longest={longest.notice}
        defaultValue={settings.maintenanceNotice ?? ''}
        hint="Stands above every public page once you publish. Empty: no notice."
      />
      <FormField
        id="bucket"
        label="Storage for exports and backups"
        name="bucket"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        longest={longest.bucket}
        defaultValue={settings.backupBucket ?? ''}
        hint="The name of a private bucket, such as backups. Empty: exports and backups are off."
      />
      {saving.status === 'conflict' && (
        <div className="grid gap-4" role="alert">
          <p className={problemLine}>Somebody else saved other settings meanwhile. On the server:</p>
          <Facts>
            <Fact term="Contact email">{saving.theirs.contactEmail ?? 'Not set'}</Fact>
            <Fact term="Maintenance notice">{saving.theirs.maintenanceNotice ?? 'Not set'}</Fact>
            <Fact term="Storage">{saving.theirs.backupBucket ?? 'Not set'}</Fact>
          </Facts>
        </div>
      )}
      <Problem>{saving.status === 'failed' && `${saving.reason} Your entries are still here.`}</Problem>
      <div className="flex flex-wrap items-center gap-3">
        <button className={button()} type="submit" aria-disabled={saving.status === 'saving'}>
          {saving.status === 'saving'
            ? 'Saving...'
            : saving.status === 'conflict'
              ? 'Save mine instead'
              : 'Save settings'}
        </button>
        <p className="text-sm font-semibold text-ok-text" role="status">
          {saving.status === 'saved' && 'Saved'}
        </p>
      </div>
    </form>
  )
}
