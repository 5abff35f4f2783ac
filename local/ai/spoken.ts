const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const others: Record<string, number> = { quarter: 15, half: 30, twenty: 20, thirty: 30, forty: 40, fifty: 50 }

/** Returns the words of a text in small letters, with the numbers among them in digits. */
export const spokenWords = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replace(/(?<=\d),(?=\d{3})/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => {
    const nth = ones.indexOf(word)
    return String(nth >= 0 ? nth : (others[word] ?? word))
  })

/** Returns the time of day that a text names, as HH:MM on a clock of twelve hours; undefined if it names none. */
export function spokenTime(text: string): string | undefined {
  const said = spokenWords(text.replace(/\b(the|that|first|second|third) one\b/gi, ''))
    .join(' ')
    // "nine forty-five"
    .replace(/\b([2-5])0 ([1-9])\b/, '$1$2')
  if (/\b(noon|midday)\b/.test(said)) return '12:00'
  const relative = /\b(\d{1,2}) (?:minutes )?(past|to) (\d{1,2})\b/.exec(said)
  const [, hours = '', minutes = '0'] = /\b(\d{1,2})(?: ([0-5]\d))?\b/.exec(said) ?? []
  if (!hours) return undefined
  const total = relative
    ? Number(relative[3]) * 60 + Number(relative[1]) * (relative[2] === 'to' ? -1 : 1)
    : Number(hours) * 60 + Number(minutes)
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`
}

/** Returns the number that a text says of something: 6 of people in "for six people", and in "a table for six on Friday". */
export function spokenCount(text: string, things: string): number | undefined {
  const words = spokenWords(text)
  const nth = words.findIndex(
    (word, at) =>
      /^\d+$/.test(word) &&
      (words[at + 1]?.startsWith(things.slice(0, 5)) ||
        (things === 'people' &&
          words[at - 1] === 'for' &&
          !/^(minute|hour|day|night|week)/.test(words[at + 1] ?? ''))),
  )
  return nth < 0 ? undefined : Number(words[nth])
}
