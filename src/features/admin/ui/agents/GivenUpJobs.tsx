import { readGivenUpJobs, retryJob, type GivenUpJob } from '#admin/browser/given-up-jobs.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const givenUpJobs = { id: 'jobs', name: 'Failed tasks' }

/** The jobs that have failed too often, which the admin can begin anew. */
export const GivenUpJobs = ({ version }: { version: unknown }) => (
  <RecordTable
    part={givenUpJobs}
    version={version}
    empty="None. What failed was done later."
    columns={['Since', 'Task', 'Last error', 'Action']}
    read={readGivenUpJobs}
    row={(job, reload) => <GivenUpJobRow key={`${job.kind} ${job.key}`} job={job} reload={reload} />}
  />
)

const GivenUpJobRow = ({ job, reload }: { job: GivenUpJob; reload: () => void }) => (
  <tr>
    <td className={recordCell.moment}>
      <Moment iso={job.since} />
    </td>
    <td className={recordCell.text}>
      <b>{job.kind}</b>
      <br />
      <span className="text-ink-2">{job.key}</span>
    </td>
    <td className={recordCell.text}>
      <span className="md:hidden">Last error: </span>
      {job.error}
    </td>
    <td className={recordCell.action}>
      <RowAction
        name="Try again"
        busy="Beginning..."
        done="It is tried again within a minute."
        target={`${job.kind} ${job.key}`}
        action={() => retryJob(job)}
        onDone={reload}
      />
    </td>
  </tr>
)
