import { grouped } from '#platform/domain/text/numbers.ts'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { recordsPerPage, type Page } from '#admin/browser/content/records.ts'
import type { Part } from './JumpLinks.tsx'
import { ColumnNames } from './ColumnNames.tsx'
import { NoAnswer } from './NoAnswer.tsx'
import { PageButtons } from './PageButtons.tsx'
import { skeleton, titleRow } from '#platform/domain/app-variants.ts'
import { recordTable } from './variants.ts'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

interface Props<Each> {
  part: Part
  empty: string
  columns: readonly string[]
  /** What is read, if it can change. Another one begins with its first page. */
  source?: unknown
  read: (page: number) => Promise<Page<Each> | undefined>
  /** `reload` reads the page again after an entry was changed. */
  row: (entry: Each, reload: () => void) => ReactNode
  /** What chooses or changes entries, beside the heading. */
  actions?: ReactNode
  /** What came of an action, below the heading. */
  outcome?: ReactNode
  /** The page is read again when this changes. */
  version: unknown
  /** Receives the part's id when an answer has arrived, or has failed to. */
  onRead?: (id: string) => void
}

type Loaded<Each> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; page: Page<Each> }

/** Records that this browser does not store, one page at a time. */
export function RecordTable<Each>({
  part: { id, name },
  empty,
  columns,
  source,
  read,
  row,
  actions,
  outcome,
  version,
  onRead,
}: Props<Each>) {
  const [asked, setAsked] = useState({ page: 0, attempt: 0 })
  const [loaded, setLoaded] = useState<Loaded<Each>>({ status: 'loading' })
  const [shown, setShown] = useState(source)
  if (shown !== source) {
    setShown(source)
    setAsked({ page: 0, attempt: 0 })
    setLoaded({ status: 'loading' })
  }
  const readPage = useEffectEvent(read)
  const report = useEffectEvent(() => onRead?.(id))
  useEffect(
    () =>
      takeAnswer(readPage(asked.page), (page) => {
        setLoaded(page ? { status: 'ready', page } : { status: 'failed' })
        report()
      }),
    [source, asked, version],
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const isLoaded = loaded.status !== 'loading'
  useEffect(() => {
    // A link from another tab leads here.
    if (isLoaded && location.hash === `#${id}`) heading.current?.focus()
  }, [isLoaded, id])
  const ask = (page: number): void => setAsked({ page, attempt: asked.attempt + 1 })

  const { page } = asked
  const more = loaded.status === 'ready' && loaded.page.more
  const count = loaded.status === 'ready' ? loaded.page.entries.length : 0
  return (
    <div className="border-t">
      <div className="flex items-center justify-between gap-x-6 gap-y-3 p-pad">
        <h2 className="text-h4" id={id} ref={heading} tabIndex={-1}>
          {name}
        </h2>
        {actions}
      </div>
      {outcome}
      {loaded.status === 'loading' && (
        <div className="px-pad pb-pad">
          <div className={skeleton({ size: 'long' })} role="status" aria-label="Loading" />
        </div>
      )}
      {loaded.status === 'failed' && (
        <div className="px-pad pb-pad">
          <NoAnswer of={name} onRetry={() => ask(page)} />
        </div>
      )}
      {loaded.status === 'ready' && loaded.page.entries.length === 0 && (
        <p className="max-w-none px-pad pb-pad text-sm text-ink-2">{empty}</p>
      )}
      {loaded.status === 'ready' && loaded.page.entries.length > 0 && (
        <table className={recordTable} aria-labelledby={id}>
          <ColumnNames names={columns} />
          <tbody>{loaded.page.entries.map((entry) => row(entry, () => ask(page)))}</tbody>
        </table>
      )}
      {(page > 0 || more) && (
        <div className={`${titleRow} border-t p-pad`}>
          <p className="text-sm text-ink-2" role="status">
            {count > 0 &&
              `${grouped(page * recordsPerPage + 1)} to ${grouped(page * recordsPerPage + count)}`}
          </p>
          <PageButtons
            words={['Newer', 'Older']}
            of={`entries of ${name}`}
            page={page}
            more={more}
            onTurn={ask}
          />
        </div>
      )}
    </div>
  )
}
