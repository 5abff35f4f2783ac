import { useRef, useState } from 'react'
import { markLeadDone, readOpenLeads, type Lead } from '#admin/browser/leads.ts'
import { planName } from '#plans/domain/plans.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { recordCell } from '#admin/ui/lists/variants.ts'
import { fillFrame } from '#platform/domain/app-variants.ts'
import { telHref } from '#platform/domain/text/tel-href.ts'

const columns = ['When', 'Who', 'Request', 'Source', 'Action'] as const

/** What visitors have asked the sales agent for, or by the help form, until it is done. */
export function LeadsTab() {
  const { rows } = useAdminData()
  const [done, setDone] = useState('')
  const top = useRef<HTMLDivElement>(null)
  return (
    <section>
      <div className={fillFrame} ref={top} tabIndex={-1}>
        <TabHead name="Leads" />
        <RecordTable
          part={{ id: 'requests', name: 'Open requests' }}
          version={rows}
          empty={`No open leads. Whoever asks for a call, for ${planName('enterprise')} or for help appears here.`}
          columns={columns}
          read={readOpenLeads}
          row={(lead, reload) => (
            <LeadRow
              key={lead.id}
              lead={lead}
              reload={reload}
              onDone={() => {
                setDone(`Done: ${lead.name}.`)
                // The row with the button goes.
                top.current?.focus()
              }}
            />
          )}
        />
        <p className="sr-only" role="status">
          {done}
        </p>
      </div>
    </section>
  )
}

interface LeadRowProps {
  lead: Lead
  reload: () => void
  onDone: () => void
}

function LeadRow({ lead, reload, onDone }: LeadRowProps) {
  const { id, kind, name, email, phone, wish, page, created_at: askedAt } = lead
  return (
    <tr>
      <td className={`${recordCell.moment} max-md:col-span-full`}>
        <Moment iso={askedAt} />
      </td>
      <td className={recordCell.text}>
        <b>{name}</b>
        {email !== null && (
          <>
            <br />
            <a href={`mailto:${email}`}>{email}</a>
          </>
        )}
        {phone !== null && (
          <>
            <br />
            <a className="whitespace-nowrap" href={telHref(phone)}>
              {phone}
            </a>
          </>
        )}
      </td>
      <td className={recordCell.text}>{wish}</td>
      <td className="wrap-anywhere md:min-w-27 lg:min-w-36">
        {kind === 'help' ? 'Form' : 'Sales agent'}, {page}
      </td>
      <td className={recordCell.action}>
        <RowAction
          name="Done"
          busy="Saving..."
          done="Saved."
          target={`with ${name}: ${wish}`}
          action={async () => {
            const answer = await markLeadDone(id)
            if (answer.ok) onDone()
            return answer
          }}
          onDone={reload}
        />
      </td>
    </tr>
  )
}
