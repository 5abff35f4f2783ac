import { Vapi } from '@vapi-ai/server-sdk'
import { expect, test } from 'vitest'
import { languageOf, locales } from '#agent/domain/locales.ts'

const understood: readonly string[] = Object.values(Vapi.DeepgramTranscriberLanguage)
const spoken: readonly string[] = Object.values(Vapi.VapiVoiceLanguage)
const has = (name: string): boolean => understood.includes(name) && spoken.includes(name)

test('30 languages are offered, each of which the provider both understands and speaks', () => {
  const languages = new Set(locales.map(languageOf))
  expect([...languages].filter((language) => !has(language))).toEqual([])
  expect(languages.size).toBeGreaterThanOrEqual(30)
  for (const missing of ['nb-NO', 'es-MX', 'ar-SA']) expect(locales).not.toContain(missing)
})

test('a further locale of a language is one that the provider has', () => {
  const further = locales.filter(
    (locale, index) => locales.findIndex((other) => languageOf(other) === languageOf(locale)) < index,
  )
  expect(further.filter((locale) => !has(locale))).toEqual([])
  expect(further).not.toEqual([])
})
