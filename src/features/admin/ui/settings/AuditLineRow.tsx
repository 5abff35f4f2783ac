import { changedFields, describeChange } from '#admin/domain/audit-line.ts'
import type { AuditLine } from '#admin/browser/content/records.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'

export const auditColumns = ['When', 'Who', 'What'] as const

/** One change in words. Its fields before and after it, and the id of the record, are in a detail. */
export function AuditLineRow({ line }: { line: AuditLine }) {
  const { actor, action } = describeChange(line)
  return (
    <tr>
      <td className="full whitespace-nowrap">
        <Moment iso={line.at} />
      </td>
      <td className="full wrap-anywhere">{actor}</td>
      <td className="full wrap-anywhere">
        <b>{action}</b>
        <details>
          <summary aria-label={`Details: ${actor} ${action}`}>Details</summary>
          <dl className="fields text-sm">
            {changedFields(line).map(({ name, was, is }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {line.before && (
                    <p>
                      <span className="text-ink-2">Before:</span> {was}
                    </p>
                  )}
                  {line.after && (
                    <p>
                      <span className="text-ink-2">After:</span> {is}
                    </p>
                  )}
                </dd>
              </div>
            ))}
            <div>
              <dt>id</dt>
              <dd>{line.subject_id}</dd>
            </div>
          </dl>
        </details>
      </td>
    </tr>
  )
}
