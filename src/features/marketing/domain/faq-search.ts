/** Search that matches question or answer, whatever their case (specification, section 5). */
interface Entry {
  question: string
  answer: string
}

export interface SearchIndex<Each> {
  entries: readonly Each[]
  texts: readonly string[]
}

/** Lower-cases every entry once, so that a keystroke only compares. */
export const indexFaqs = <Each extends Entry>(entries: readonly Each[]): SearchIndex<Each> => ({
  entries,
  texts: entries.map(({ question, answer }) => `${question}\n${answer}`.toLowerCase()),
})

export function searchFaqs<Each>({ entries, texts }: SearchIndex<Each>, wanted: string): readonly Each[] {
  const part = wanted.trim().toLowerCase()
  return part === '' ? entries : entries.filter((_, index) => texts[index]?.includes(part))
}
