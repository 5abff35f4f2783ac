import { jobKinds } from '#admin/server/job-kinds.ts'
import { workInBackground } from '#platform/server/jobs.ts'

/** Runs if the clock starts it: does the jobs that take longer. */
export default workInBackground(jobKinds)
