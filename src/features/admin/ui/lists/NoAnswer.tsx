import { button } from '#platform/domain/variants.ts'

interface Props {
  /** What could not be read, for screen readers. */
  of: string
  onRetry: () => void
}

/** Says that something could not be read, and reads it again on request. */
export const NoAnswer = ({ of, onRetry }: Props) => (
  <div className="grid gap-4" role="alert">
    <p className="text-sm">This is kept on the server, which does not answer.</p>
    <p>
      <button
        className={button({ kind: 'other', size: 'small' })}
        type="button"
        aria-label={`Try again to read ${of}`}
        onClick={onRetry}
      >
        Try again
      </button>
    </p>
  </div>
)
