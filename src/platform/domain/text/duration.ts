/** Writes a duration in seconds as "1:12". */
export const durationLabel = (seconds: number): string =>
  `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`
