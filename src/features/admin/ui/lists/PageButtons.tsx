import { button } from '#platform/domain/variants.ts'

interface Props {
  /** The words of the two buttons. */
  words: readonly [back: string, on: string]
  /** What the pages are of, for screen readers. */
  of?: string
  page: number
  more: boolean
  onTurn: (page: number) => void
}

/** Two buttons that turn the pages of a list. */
export const PageButtons = ({ words, of, page, more, onTurn }: Props) => (
  <div className="flex flex-wrap items-center gap-3">
    {words.map((word, index) => (
      <button
        className={button({ kind: 'other', size: 'small' })}
        key={word}
        type="button"
        disabled={index === 0 ? page === 0 : !more}
        aria-label={of && `${word} ${of}`}
        onClick={() => onTurn(index === 0 ? page - 1 : page + 1)}
      >
        {word}
      </button>
    ))}
  </div>
)
