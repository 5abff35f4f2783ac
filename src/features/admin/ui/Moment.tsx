/** A moment in the reader's time zone, to the minute. */
export const Moment = ({ iso }: { iso: string }) => (
  <time dateTime={iso}>
    {new Date(iso).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    })}
  </time>
)
