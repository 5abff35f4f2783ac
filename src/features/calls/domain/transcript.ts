/** What is said in a recording: a Markdown list with a line for each time somebody speaks (docs/content.md). */
export interface Turn {
  who: string
  words: string
}

const line = /^(Agent|Caller): (.+)$/

/** The turn that a line is; undefined where it does not say who speaks. */
export function turnOf(text: string): Turn | undefined {
  const [, who, words] = line.exec(text) ?? []
  return who && words ? { who, words } : undefined
}

/** The list's entries, each on one line; what stands before the first is an entry as well. */
const entriesOf = (transcript: string): string[] =>
  transcript
    .split(/^- /m)
    .map((entry) => entry.replace(/\s+/g, ' ').trim())
    .filter(Boolean)

/** The turns of a transcript. What {@link transcriptProblem} complains about is left out. */
export const turnsOf = (transcript = ''): Turn[] =>
  entriesOf(transcript).flatMap((entry) => turnOf(entry) ?? [])

/** Why a text is no transcript, in words for its editor; undefined where it is one. */
export function transcriptProblem(transcript: string): string | undefined {
  const strange = entriesOf(transcript).find((entry) => !line.test(entry))
  return (
    strange && `must be lines such as “- Agent: Good evening.” or “- Caller: Hello.”; “${strange}” is none.`
  )
}
