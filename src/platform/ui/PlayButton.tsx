interface Props {
  /** What is played, for screen readers. */
  name: string
  isPlaying: boolean
  disabled: boolean
  onClick: () => void
}

/** The round button that plays and pauses a recording. */
export const PlayButton = ({ name, isPlaying, disabled, onClick }: Props) => (
  <button
    className="play"
    type="button"
    disabled={disabled}
    aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`}
    onClick={onClick}
  >
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={isPlaying ? 'M4 3h4v14H4zM12 3h4v14h-4z' : 'M5 2.5 17.5 10 5 17.5z'} />
    </svg>
  </button>
)
