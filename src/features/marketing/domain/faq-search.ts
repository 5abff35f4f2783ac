/**
 * Prepares a search for entries whose question or answer contains what was typed, whatever the case (specification,
 * section 5). Lower-cases every text once, so that a keystroke only compares.
 * @param textsOf the question and the answer: a match never runs from one into the other
 */
export function faqSearch<Entry>(
  entries: readonly Entry[],
  textsOf: (entry: Entry) => readonly [question: string, answer: string],
): (typed: string) => readonly Entry[] {
  const texts = entries.map((entry) => textsOf(entry).map((text) => text.toLowerCase()))
  return (typed) => {
    const wanted = typed.trim().toLowerCase()
    return wanted === ''
      ? entries
      : entries.filter((_, index) => texts[index]?.some((text) => text.includes(wanted)))
  }
}
