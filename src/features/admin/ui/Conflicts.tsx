import type { AudioDemo, FaqEntry } from '#admin/domain/admin-data.ts'
import type { UnsavedChange } from '#admin/domain/unsaved-changes.ts'
import { useAdminData } from './AdminDataProvider.tsx'

/** Each conflict, with both versions and a button to choose each. */
export function Conflicts() {
  const { unsaved } = useAdminData()
  return unsaved.map((change) =>
    change.state === 'conflict' ? (
      <Conflict key={`${change.collection}/${change.id}`} change={change} />
    ) : null,
  )
}

function Conflict({ change }: { change: UnsavedChange }) {
  const { resolve } = useAdminData()
  const mine = change.action === 'delete' ? null : change.record
  return (
    <section className="notice" role="alert">
      <div className="frame">
        <div className="title">
          <div>
            <h2 className="h4">Somebody else changed {nameOf(change)} meanwhile</h2>
            <p className="sm dim under">Your change is not saved. Choose the version that stays.</p>
          </div>
        </div>
        <div className="join row">
          <Version
            title="Your version"
            record={mine}
            keep="Keep mine"
            onKeep={() => resolve(change, 'mine')}
          />
          <Version
            title="The version on the server"
            record={change.theirs ?? null}
            keep="Take theirs"
            onKeep={() => resolve(change, 'theirs')}
          />
        </div>
      </div>
    </section>
  )
}

interface VersionProps {
  title: string
  record: UnsavedChange['record'] | null
  keep: string
  onKeep: () => void
}

const Version = ({ title, record, keep, onKeep }: VersionProps) => (
  <div className="c6 stack">
    <h3 className="label">{title}</h3>
    {record ? (
      <dl className="ledger sm">
        {textsOf(record).map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="break">{text}</dd>
          </div>
        ))}
      </dl>
    ) : (
      <p className="sm">Deleted.</p>
    )}
    <p>
      <button className="btn two small" type="button" onClick={onKeep}>
        {keep}
      </button>
    </p>
  </div>
)

function nameOf({ collection, record }: UnsavedChange): string {
  if ('email' in record) return record.email
  return collection === 'faqs' ? `“${(record as FaqEntry).question}”` : `“${(record as AudioDemo).title}”`
}

function textsOf(record: UnsavedChange['record']): [string, string][] {
  if ('email' in record) return [['Status', record.subscriptionStatus ?? 'no subscription']]
  if ('question' in record)
    return [
      ['Question', String(record.question)],
      ['Answer', String(record.answer)],
    ]
  return [
    ['Industry', record.industry],
    ['Title', record.title],
    ['Description', record.description],
  ]
}
