import { changedFields, describeChange } from '#admin/domain/audit-line.ts'
import type { AuditLine } from '#admin/browser/content/records.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { recordCell } from '#admin/ui/lists/variants.ts'
import { Fact, Facts, More } from '#admin/ui/lists/Facts.tsx'

export const auditColumns = ['When', 'Who', 'What'] as const

/** One change in words. Its fields before and after it, and the id of the record, are in a detail. */
export function AuditLineRow({ line }: { line: AuditLine }) {
  const { actor, action } = describeChange(line)
  return (
    <tr>
      <td className={`${recordCell.moment} max-md:col-span-full`}>
        <Moment iso={line.at} />
      </td>
      <td className={recordCell.text}>{actor}</td>
      <td className={recordCell.text}>
        <b>{action}</b>
        <More name="Details" label={`Details: ${actor} ${action}`}>
          <Facts>
            {changedFields(line).map(({ name, was, is }) => (
              <Fact key={name} term={name}>
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
              </Fact>
            ))}
            <Fact term="id">{line.subject_id}</Fact>
          </Facts>
        </More>
      </td>
    </tr>
  )
}
