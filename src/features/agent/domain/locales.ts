/**
 * The languages that customers can choose for their agents: those that the voice provider both understands and speaks
 * (vapi-line.test.ts compares them with its SDK). A second locale of a language is there if the provider has that very one.
 */
export const locales = [
  'en-US',
  'en-GB',
  'en-AU',
  'es-ES',
  'fr-FR',
  'fr-CA',
  'de-DE',
  'it-IT',
  'pt-PT',
  'pt-BR',
  'nl-NL',
  'sv-SE',
  'da-DK',
  'no-NO',
  'fi-FI',
  'pl-PL',
  'cs-CZ',
  'sk-SK',
  'hu-HU',
  'ro-RO',
  'bg-BG',
  'el-GR',
  'uk-UA',
  'ru-RU',
  'tr-TR',
  'ja-JP',
  'ko-KR',
  'zh-CN',
  'hi-IN',
  'ta-IN',
  'th-TH',
  'vi-VN',
  'id-ID',
  'ms-MY',
] as const

const all: readonly string[] = locales
export const isLocale = (name: string): boolean => all.includes(name)

/** Returns the language of a locale: `en` for `en-US`. */
export const languageOf = (locale: string): string => locale.split('-')[0]!

/**
 * The languages that the provider's transcriber understands beside each other in one call
 * (https://developers.deepgram.com/docs/multilingual-code-switching).
 */
const codeSwitchingLanguages = ['en', 'es', 'fr', 'de', 'hi', 'ru', 'pt', 'ja', 'it', 'nl']

/** Returns whether an agent that speaks this language can speak further ones in the same call. */
export const supportsCodeSwitching = (locale: string): boolean =>
  codeSwitchingLanguages.includes(languageOf(locale))
