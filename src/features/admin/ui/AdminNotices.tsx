import { collectionNames, type AdminData } from '#admin/domain/admin-data.ts'
import { keptByPageAlone, type StorageProblem, type StoredName } from '#admin/domain/admin-state.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { Conflicts } from './Conflicts.tsx'
import { Publishing } from './Publishing.tsx'
import { saveAsFile } from '#platform/browser/save-as-file.ts'

const nameOf = (name: StoredName): string => (name === 'unsaved' ? 'unsaved changes' : collectionNames[name])

/** The notices above every tab: problems of storage and server, conflicts, publication. */
export function AdminNotices() {
  const state = useAdminData()
  const { data, unsaved, problems, server, retry, reload } = state
  const isAtRisk = keptByPageAlone(state).length > 0
  const failed = unsaved.filter(({ state }) => state === 'failed')
  const isSaving = unsaved.some(({ state }) => state === 'waiting')
  const damaged = problems.flatMap((problem) => (problem.kind === 'damaged' ? [problem] : []))
  const unwritable = problems.filter(({ kind }) => kind !== 'damaged')
  return (
    <>
      {/* What the server answers may put a notice above the tab, and so move it. */}
      {server === 'loading' && <p className="sr" role="status" aria-label="Loading" />}
      {damaged.map((problem) => (
        <DamagedNotice key={problem.name} problem={problem} />
      ))}
      {/* A recording may be too large for this browser's storage, but it is removed once it is uploaded. */}
      {unwritable.length > 0 && !isSaving && (
        <UnwritableNotice problems={unwritable} data={data} isAtRisk={isAtRisk} />
      )}
      {server === 'offline' && (
        <section className="notice" role="status">
          <div className="frame title">
            <div>
              <h2 className="h4">The server does not answer</h2>
              <p className="sm dim under">
                You see what this browser has kept. Changes are sent when the server is back.
              </p>
            </div>
            <button className="btn two small" type="button" onClick={() => void reload()}>
              Try again
            </button>
          </div>
        </section>
      )}
      {failed.length > 0 && (
        <section className="notice" role="alert">
          <div className="frame title">
            <div>
              <h2 className="h4">
                {failed.length === 1
                  ? '1 change is not saved to the server'
                  : `${failed.length} changes are not saved to the server`}
              </h2>
              <p className="sm dim under">
                {[...new Set(failed.map(({ reason }) => reason))].join(' ')}{' '}
                {!isAtRisk && `${failed.length === 1 ? 'It is' : 'They are'} kept in this browser.`}
              </p>
            </div>
            <button className="btn small" type="button" onClick={() => retry()}>
              Retry
            </button>
          </div>
        </section>
      )}
      <Conflicts />
      <Publishing />
    </>
  )
}

const DamagedNotice = ({ problem }: { problem: StorageProblem & { kind: 'damaged' } }) => (
  <section className="notice" role="alert">
    <div className="frame title">
      <div>
        <h2 className="h4">The stored {nameOf(problem.name)} could not be read</h2>
        <p className="sm dim under">
          {problem.keptAs === null
            ? 'They stay in this browser as they are, and changes are kept in this page only. Save a copy.'
            : `They are set aside in this browser under ${problem.keptAs}. Nothing is deleted.`}
        </p>
      </div>
      <button
        className="btn two small"
        type="button"
        onClick={() => saveAsFile(`damaged-${problem.name}.txt`, problem.text, 'text/plain')}
      >
        Save a copy
      </button>
    </div>
  </section>
)

interface UnwritableProps {
  problems: StorageProblem[]
  data: AdminData
  /** Whether a change would be lost with this page. */
  isAtRisk: boolean
}

const UnwritableNotice = ({ problems, data, isAtRisk }: UnwritableProps) => (
  <section className="notice" role="alert">
    <div className="frame title">
      <div>
        <h2 className="h4">
          {problems.some(({ kind }) => kind === 'full')
            ? 'The storage of this browser is full'
            : 'This browser does not let us store anything'}
        </h2>
        <p className="sm dim under">
          {isAtRisk
            ? 'Your unsaved changes are in this page alone, and are lost if you leave it. Save a copy first.'
            : 'Nothing is lost: what is not stored here is on the server.'}
        </p>
      </div>
      <button
        className="btn two small"
        type="button"
        onClick={() => saveAsFile('admin-data.json', JSON.stringify(data, null, 2), 'application/json')}
      >
        Save a copy
      </button>
    </div>
  </section>
)
