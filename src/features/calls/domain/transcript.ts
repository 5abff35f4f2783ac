/** A turn of a transcript, which is a Markdown list with one entry per turn (docs/content.md). */
export interface Turn {
  speaker: string
  words: string
}

const line = /^(Agent|Caller): (.+)$/

/** Parses a line; undefined if it does not begin with a speaker's name. */
export function turnOf(text: string): Turn | undefined {
  const [, speaker, words] = line.exec(text) ?? []
  return speaker && words ? { speaker, words } : undefined
}

/** Returns the list's entries, each on one line. Text before the first is an entry as well. */
const entriesOf = (transcript: string): string[] =>
  transcript
    .split(/^- /m)
    .map((entry) => entry.replace(/\s+/g, ' ').trim())
    .filter(Boolean)

/** Parses a transcript. Leaves out the lines that {@link transcriptProblem} reports. */
export const turnsOf = (transcript = ''): Turn[] =>
  entriesOf(transcript).flatMap((entry) => turnOf(entry) ?? [])

/** Describes for the editor why a text is not a transcript; undefined if it is one. */
export function transcriptProblem(transcript: string): string | undefined {
  const invalid = entriesOf(transcript).find((entry) => !line.test(entry))
  return (
    invalid && `must be lines such as “- Agent: Good evening.” or “- Caller: Hello.”; “${invalid}” is none.`
  )
}
