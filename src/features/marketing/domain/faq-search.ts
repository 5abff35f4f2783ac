/**
 * Prepares a search for entries whose text contains what was typed, whatever the case (specification, section 5).
 * Lower-cases every text once, so that a keystroke only compares.
 */
export function faqSearch<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): (typed: string) => readonly Entry[] {
  const texts = entries.map((entry) => textOf(entry).toLowerCase())
  return (typed) => {
    const wanted = typed.trim().toLowerCase()
    return wanted === '' ? entries : entries.filter((_, index) => texts[index]?.includes(wanted))
  }
}
