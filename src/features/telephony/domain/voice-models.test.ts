import { expect, test } from 'vitest'
import { defaultVoiceModel, isVoiceModel, removalProblem, voiceModels } from './voice-models.ts'

test('the model that agents have if none is set is not announced to be removed', () => {
  expect(voiceModels[defaultVoiceModel].removedOn).toBeNull()
})

test.each([
  ['2026-11-14T23:00Z', undefined],
  ['2026-11-15T00:00Z', 'OpenAI removes gpt-4.1 on 2027-01-14'],
  ['2027-06-01T00:00Z', 'OpenAI removes gpt-4.1 on 2027-01-14'],
])('a model is warned of 60 days before its removal, and afterwards: %s', (now, expected) => {
  const problem = removalProblem('gpt-4.1', Date.parse(now))
  if (expected) expect(problem).toContain(expected)
  else expect(problem).toBeUndefined()
  expect(removalProblem(defaultVoiceModel, Date.parse(now))).toBeUndefined()
})

test('only models of the table are taken', () => {
  expect(isVoiceModel('gpt-4.1')).toBe(true)
  for (const name of ['gpt-6-luna', 'toString', '']) expect(isVoiceModel(name)).toBe(false)
})
