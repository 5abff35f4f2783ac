import type { ReactNode } from 'react'
import { collectionNames } from '#admin/domain/content/admin-data.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { Conflicts } from './Conflicts.tsx'
import { Publishing } from './Publishing.tsx'
import { saveAsFile } from '#platform/browser/save-as-file.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { button } from '#platform/domain/variants.ts'

/** The notices above every tab: problems of storage and server, conflicts, publication. */
export function AdminNotices() {
  const { data, unsaved, isAtRisk, problems, server, retry, reload } = useAdminData()
  const reasons = unsaved.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.reason] : []))
  const isOne = reasons.length === 1
  const isSaving = unsaved.some(({ outcome }) => outcome.kind === 'waiting')
  const unwritable = problems.filter(({ kind }) => kind !== 'damaged')
  return (
    <>
      {/* What the server answers may put a notice above the tab, and so move it. */}
      {server === 'loading' && <p className="sr-only" role="status" aria-label="Loading" />}
      {problems.map(
        (problem) =>
          problem.kind === 'damaged' && (
            <Problem
              key={problem.name}
              title={`The stored ${collectionNames[problem.name]} could not be read`}
              action="Save a copy"
              onAction={() => saveAsFile(`damaged-${problem.name}.txt`, problem.text, 'text/plain')}
            >
              {problem.keptAs === null
                ? 'They stay in this browser as they are, and changes are kept in this page only. Save a copy.'
                : `They are set aside in this browser under ${problem.keptAs}. Nothing is deleted.`}
            </Problem>
          ),
      )}
      {/* A recording may be too large for this browser's storage, but it is removed once it is uploaded. */}
      {unwritable.length > 0 && !isSaving && (
        <Problem
          title={
            unwritable.some(({ kind }) => kind === 'full')
              ? 'The storage of this browser is full'
              : 'This browser does not let us store anything'
          }
          action="Save a copy"
          onAction={() => saveAsFile('admin-data.json', JSON.stringify(data, null, 2), 'application/json')}
        >
          {isAtRisk
            ? 'Your unsaved changes are in this page alone, and are lost if you leave it. Save a copy first.'
            : 'Nothing is lost: what is not stored here is on the server.'}
        </Problem>
      )}
      {server === 'offline' && (
        <Problem isCalm title="The server does not answer" action="Try again" onAction={() => void reload()}>
          You see what this browser has kept. Changes are sent when the server is back.
        </Problem>
      )}
      {reasons.length > 0 && (
        <Problem
          title={
            isOne
              ? '1 change is not saved to the server'
              : `${reasons.length} changes are not saved to the server`
          }
          isMain
          action="Retry"
          onAction={() => retry()}
        >
          {[...new Set(reasons)].join(' ')}{' '}
          {!isAtRisk && `${isOne ? 'It is' : 'They are'} kept in this browser.`}
        </Problem>
      )}
      <Conflicts />
      <Publishing />
    </>
  )
}

interface ProblemProps {
  title: string
  children: ReactNode
  action: string
  onAction: () => void
  /** Nothing needs the admin at once. */
  isCalm?: boolean
  /** The button is the main action of the screen. */
  isMain?: boolean
}

const Problem = ({ title, children, action, onAction, isCalm, isMain }: ProblemProps) => (
  <Notice title={title} role={isCalm ? 'status' : 'alert'} text={<p>{children}</p>}>
    <button
      className={button({ kind: isMain ? 'main' : 'other', size: 'small' })}
      type="button"
      onClick={onAction}
    >
      {action}
    </button>
  </Notice>
)
