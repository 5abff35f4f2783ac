import { jobKinds } from '#admin/server/job-kinds.ts'
import { clock } from '#platform/server/jobs.ts'

/** Runs every minute: does the jobs that are due. */
export default clock(jobKinds)

export const config = { schedule: '* * * * *' }
