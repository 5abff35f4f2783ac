import { expect, test } from 'vitest'
import { site } from '#site'
import { readSentences, sentencesOf } from '../claims/sentences.ts'
import { claimsFor, problemOf, readClaims } from '../claims/table.ts'

const sentences = readSentences()
const known = readClaims()
const toDo =
  'Run `npm run claims`, then write beside each new sentence of docs/claims.md what proves it, or change the sentence.'

test('every sentence that visitors read has its proof in docs/claims.md', () => {
  const problems = claimsFor(sentences, known).flatMap((claim) => {
    const problem = problemOf(claim)
    return problem ? [`“${claim.sentence}” ${problem}`] : []
  })
  if (site.claims === 'own')
    return console.log(`${problems.length} sentences have no proof in docs/claims.md.`)
  expect(sentences.length).toBeGreaterThan(300)
  expect(problems, toDo).toEqual([])
})

test('examples are shown without their marks', () => {
  expect(sentences.filter((sentence) => /\[\[|\]\]/.test(sentence))).toEqual([])
})

test('the table is sorted, and holds no sentence that is gone', () => {
  if (site.claims === 'own') return
  expect(known, toDo).toEqual(claimsFor(sentences, known))
})

const lies = [
  'Speaks Klingon, books appointments in OpenTable, sends every guest a reminder by WhatsApp, transfers to a doctor in under 10 seconds.',
  'Answers in 140 languages.',
  'Takes the order, and charges the caller’s card.',
  'Books a table at any restaurant in the city.',
  'Explains every treatment as well as your doctor.',
  'The calendar that you already have is always up to date.',
  'Callers never notice that they talk to a machine.',
  'Half of all hotels trust us.',
  'Your agent remembers every caller by voice.',
  'Reminder calls go out a day before.',
  'Certified by the TÜV.',
  'Speaks Klingon.',
  'Works with your calendar.',
  'Reminders go out by text message.',
  'Patients are reminded a day before.',
  'Payments are taken over the phone.',
  'Certified for health data.',
  'Free for charities.',
  'Faster than a person.',
  'Forty languages in a single call.',
  'Appointments in every clinic of the country.',
]
test.each(lies)('refuses “%s”', (lie) => {
  const html = `<main><section><ul><li><h3>Peaks</h3><p>“Hello?”</p><p>${lie}</p></li></ul></section></main>`
  const read = sentencesOf(html).filter((sentence) => lie.startsWith(sentence))
  expect(read).toEqual([lie])
  for (const claim of claimsFor(read, known)) {
    expect(problemOf(claim)).toBe('has no proof')
    expect(problemOf({ ...claim, proof: 'opinion' })).toMatch(/so it is no opinion$/)
    expect(problemOf({ ...claim, proof: 'test: it does' })).toMatch(/^has a proof that does not exist/)
    expect(problemOf({ ...claim, proof: 'duty: Telepathy' })).toMatch(/^has a proof that does not exist/)
  }
})
