import { momentLabel } from '#platform/domain/text/dates.ts'

/** Shows a moment in the reader's time zone, to the minute. */
export const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{momentLabel(iso)}</time>
