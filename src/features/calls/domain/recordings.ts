/** The bucket of all recordings of calls (SQL: `call_recordings`). */
export const recordingBucket = 'call-recordings'
/** The largest recording that is kept, in bytes; the bucket has the same limit. */
export const recordingMaxBytes = 50 * 1024 * 1024
