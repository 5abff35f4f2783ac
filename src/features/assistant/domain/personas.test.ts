import { expect, test } from 'vitest'
import { industryTemplateIds } from '#agent/domain/industry-templates.ts'
import { plans } from '#plans/domain/plans.ts'
import { site } from '#site'
import { greet, reply, type Knowledge, type Turn } from '#assistant/domain/dialogue/dialogue.ts'
import { templatePersona } from './personas.ts'
import { indexOf } from '#assistant/domain/dialogue/ranking.ts'
import { agentName, type Role } from './role.ts'

const ours = new RegExp(`${[site.name, ...plans.map(({ name }) => name)].join('\\b|\\b')}|\\bplans?\\b`, 'i')

function knowledgeOf(role: Role): Knowledge {
  const { persona, answers } = templatePersona(role)
  return { persona, index: indexOf(answers), today: '2026-11-21', newId: () => 'id' }
}
/** Returns every word of a turn that a customer's test shows. */
const shown = ({ say, choices, source }: Turn): string => [say, ...choices, source?.title ?? ''].join(' ')

test.each(industryTemplateIds)(
  '%s bears the business’s name, and understands what it suggests',
  (template) => {
    const role: Role = { template, business: 'Harbour House' }
    expect(agentName(role)).toBe('Harbour House agent')
    const knowledge = knowledgeOf(role)
    const greeting = greet(knowledge)
    expect(greeting.say).toContain('Harbour House')
    expect(greeting.choices).toHaveLength(3)
    for (const choice of greeting.choices) {
      const turn = reply(greeting.topic, choice, knowledge)
      expect(turn.say, choice).not.toContain('I do not know that')
      expect(shown(turn)).not.toMatch(ours)
    }
  },
)

test.each(industryTemplateIds)('%s never speaks of our plans', (template) => {
  const knowledge = knowledgeOf({ template })
  expect(shown(greet(knowledge))).not.toMatch(ours)
  for (const words of [
    'Which plan do I need?',
    'Recommend me a plan',
    'What does it cost?',
    'Who are you?',
    '20',
    'never mind',
  ])
    expect(shown(reply({ at: 'open' }, words, knowledge)), words).not.toMatch(ours)
  // A conversation about plans that was begun elsewhere does not go on here.
  expect(shown(reply({ at: 'length', calls: 20 }, '3', knowledge))).not.toMatch(ours)
})

test('without a name it is the customer’s agent, never ours', () => {
  expect(agentName({ template: 'retail' })).toBe('Your agent')
  expect(agentName(undefined)).toBe(`${site.name} agent`)
})
