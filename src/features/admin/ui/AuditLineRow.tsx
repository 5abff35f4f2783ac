import type { AuditLine } from '#admin/browser/records.ts'
import { Moment } from './Moment.tsx'

export const auditColumns = ['When', 'Who', 'What', 'Before', 'After'] as const

const subjects: Record<string, string> = {
  faqs: 'FAQ',
  audio_demos: 'demo',
  leads: 'lead',
  site_settings: 'settings',
  user_subscriptions: 'customer',
  site: 'the site',
}

const shown = (value: unknown): string => (value === null || value === undefined ? 'none' : String(value))

/** Returns the fields that differ, as text. */
function changedFields({ before, after }: AuditLine): { name: string; was: string; is: string }[] {
  const names = Object.keys({ ...before, ...after }).filter((name) => name !== 'deleted_at')
  return names
    .filter((name) => shown(before?.[name]) !== shown(after?.[name]))
    .map((name) => ({ name, was: shown(before?.[name]), is: shown(after?.[name]) }))
}

/** One change: its author, its subject, and the values before and after it. */
export function AuditLineRow({ line }: { line: AuditLine }) {
  const fields = changedFields(line)
  const subject = subjects[line.subject] ?? line.subject
  return (
    <tr>
      <td className="nw">
        <Moment iso={line.at} />
      </td>
      <td className="break end">{line.actor_email ?? 'the system'}</td>
      <td className="full">
        <b>
          {line.action} {subject}
        </b>
        {line.subject_id !== 'site' && line.subject_id !== 'true' && (
          <>
            <br />
            <span className="break dim">{line.email ?? line.subject_id}</span>
          </>
        )}
      </td>
      <td className="break full">
        {line.before && (
          <>
            <span className="only-stacked label">Before</span>
            {fields.map(({ name, was }) => (
              <Field key={name} name={name} text={was} />
            ))}
          </>
        )}
      </td>
      <td className="break full">
        {line.after && (
          <>
            <span className="only-stacked label">After</span>
            {fields.map(({ name, is }) => (
              <Field key={name} name={name} text={is} />
            ))}
          </>
        )}
      </td>
    </tr>
  )
}

const Field = ({ name, text }: { name: string; text: string }) => (
  <span className="fact">
    <span className="dim">{name.replaceAll('_', ' ')}:</span> {text}
  </span>
)
