/**
 * The sentence that an agent says if it does not know an answer, by language. The prompt asks for these words, because
 * unanswered questions are recognised by them.
 */
export const doesNotKnowIn = {
  en: 'I do not have that information',
  es: 'No tengo esa información',
  fr: 'Je n’ai pas cette information',
  de: 'Diese Information habe ich nicht',
  it: 'Non ho questa informazione',
  pt: 'Não tenho essa informação',
  nl: 'Die informatie heb ik niet',
} as const

/** Returns the sentences for the languages of an agent, in English if there is none for any of them. */
export function doesNotKnowFor(locales: readonly string[]): string[] {
  const spoken = Object.entries(doesNotKnowIn).filter(([language]) =>
    locales.some((locale) => locale.startsWith(language)),
  )
  return spoken.length > 0 ? spoken.map(([, sentence]) => sentence) : [doesNotKnowIn.en]
}

const straight = (text: string): string => text.replace(/[’‘]/g, "'").toLowerCase()
const sentences = Object.values(doesNotKnowIn).map(straight)

/** Returns whether an agent has said in one of the languages that it does not know. */
export const saysThatItDoesNotKnow = (words: string): boolean =>
  sentences.some((sentence) => straight(words).includes(sentence))
