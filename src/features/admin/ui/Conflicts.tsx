import type { AnyRecord } from '#admin/domain/content/admin-data.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { notice } from '#platform/domain/app-variants.ts'
import { Fact, Facts } from './lists/Facts.tsx'

/** Each conflict, with both versions and a button to choose each. */
export function Conflicts() {
  const { unsaved, resolve } = useAdminData()
  return unsaved.map(({ collection, id, record, outcome }) => {
    if (outcome.kind !== 'conflict') return null
    const name =
      'email' in record ? record.email : `“${'question' in record ? record.question : record.title}”`
    const keep = (choice: 'mine' | 'theirs') => () => resolve({ collection, id }, choice)
    return (
      <section className={notice} role="alert" key={`${collection}/${id}`}>
        <div className={frame}>
          <div className="p-pad">
            <h2 className="text-h4">Somebody else changed {name} meanwhile</h2>
            <p className="mt-3 text-sm text-ink-2">
              Your change is not saved. Choose the version that stays.
            </p>
          </div>
          <div className={gridRow}>
            <Version
              title="Your version"
              record={record.unsaved?.deleted ? null : record}
              keep="Keep mine"
              onKeep={keep('mine')}
            />
            <Version
              title="The version on the server"
              record={outcome.record}
              keep="Take theirs"
              onKeep={keep('theirs')}
            />
          </div>
        </div>
      </section>
    )
  })
}

interface VersionProps {
  title: string
  record: AnyRecord | null
  keep: string
  onKeep: () => void
}

const Version = ({ title, record, keep, onKeep }: VersionProps) => (
  <div className={cell({ span: 6, room: 'join', class: 'grid content-start gap-4' })}>
    <h3 className="text-label text-ink-2 uppercase">{title}</h3>
    {record ? (
      <Facts>
        {Object.entries(textsOf(record)).map(([term, text]) => (
          <Fact key={term} term={term}>
            {text}
          </Fact>
        ))}
      </Facts>
    ) : (
      <p className="text-sm">Deleted.</p>
    )}
    <p>
      <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={onKeep}>
        {keep}
      </button>
    </p>
  </div>
)

function textsOf(record: AnyRecord): Record<string, string> {
  if ('email' in record) return { Status: record.subscriptionStatus ?? 'no subscription' }
  if ('question' in record) return { Question: record.question, Answer: record.answer }
  return { Industry: record.industry, Title: record.title, Description: record.description }
}
