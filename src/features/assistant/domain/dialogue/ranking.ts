import { titleKey } from '#platform/domain/text/title-key.ts'
import { editDistance, stemsOf, synonyms } from './stems.ts'

/** An answer that the agent can give: an entry of the FAQ, a page, or a part of a page. */
export interface Answer {
  /** The URL of its text, such as `/faq#languages`. */
  url: string
  title: string
  /** Other wordings of the question. */
  also?: readonly string[]
  /** What the agent says. */
  text: string
}

interface Indexed {
  answer: Answer
  /** The stems of each wording of the question. */
  phrases: readonly (readonly string[])[]
  words: ReadonlySet<string>
}

export interface Index {
  /** The answers by the keys of their titles and other wordings. */
  exact: ReadonlyMap<string, Answer>
  entries: readonly Indexed[]
  /** The weight of each stem: the rarer, the heavier. */
  weights: ReadonlyMap<string, number>
  /** The weight of a stem that no answer has. */
  strange: number
}

interface Match {
  answer: Answer
  /** 0 to 1. */
  score: number
}

/** The least score of an answer: below it the agent says that it does not know. */
const confident = 0.42

/** Prepares answers for {@link rank}. Linear in their text. */
export function indexOf(answers: readonly Answer[]): Index {
  const entries = answers.map((answer): Indexed => {
    const phrases = [answer.title, ...(answer.also ?? [])].map(stemsOf).filter(({ length }) => length > 0)
    return { answer, phrases, words: new Set([...phrases.flat(), ...stemsOf(answer.text)]) }
  })
  const counts = new Map<string, number>()
  for (const { words } of entries) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weight = (count: number): number => Math.log(1 + (entries.length - count + 0.5) / (count + 0.5))
  const wordings = (answer: Answer): [string, Answer][] =>
    (answer.also ?? []).map((also) => [titleKey(also), answer])
  return {
    // A title takes precedence over another answer's other wording.
    exact: new Map([
      ...answers.flatMap(wordings),
      ...answers.map((answer): [string, Answer] => [titleKey(answer.title), answer]),
    ]),
    entries,
    weights: new Map([...counts].map(([word, count]) => [word, weight(count)])),
    strange: weight(0),
  }
}

/** Returns the nearest known word within one or two typing errors, else the word itself. */
function meant(word: string, { weights }: Index): string {
  if (weights.has(word) || word.length < 5 || /\d/.test(word)) return word
  const limit = word.length < 8 ? 1 : 2
  let best = word
  let least = limit + 1
  for (const known of [...weights.keys(), ...synonyms]) {
    if (known.length < 5) continue
    const off = editDistance(word, known, limit)
    if (off < least || (off === least && off <= limit && known[0] === word[0] && best[0] !== word[0])) {
      best = known
      least = off
    }
  }
  return best
}

/**
 * Returns the answers that fit a question, best first. The question is compared with every wording of an answer's own
 * question (cosine similarity, weighted by rarity) and with all the words of the answer. An exact wording always wins.
 */
export function rank(question: string, index: Index): Match[] {
  const exact = exactAnswer(question, index)
  const others = similar(question, index).filter(({ answer }) => answer !== exact)
  return exact ? [{ answer: exact, score: 1 }, ...others] : others
}

/** Returns the answer with exactly this title or wording. */
export const exactAnswer = (question: string, { exact }: Index): Answer | undefined =>
  exact.get(titleKey(question))

function similar(question: string, index: Index): Match[] {
  const asked = [...new Set(stemsOf(question).flatMap((word) => stemsOf(meant(word, index))))]
    // A number says nothing about the subject.
    .filter((word) => !/^\d+$/.test(word))
  if (asked.length === 0) return []
  const weigh = (word: string): number => (index.weights.get(word) ?? index.strange) ** 2
  const total = (words: Iterable<string>): number => [...words].reduce((sum, word) => sum + weigh(word), 0)
  const askedWeight = total(asked)
  const wanted = new Set(asked)
  return index.entries
    .map(({ answer, phrases, words }): Match => {
      const nearest = Math.max(
        0,
        ...phrases.map(
          (phrase) =>
            total(phrase.filter((word) => wanted.has(word))) / Math.sqrt(askedWeight * total(phrase)),
        ),
      )
      const covered = total(asked.filter((word) => words.has(word))) / askedWeight
      return { answer, score: 0.7 * nearest + 0.3 * covered }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

/** Returns the best answer, or undefined if none scores enough. */
export function bestAnswer(question: string, index: Index): Answer | undefined {
  const [first] = rank(question, index)
  return first && first.score >= confident ? first.answer : undefined
}
