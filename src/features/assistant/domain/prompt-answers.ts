import type { Answer } from '#assistant/domain/dialogue/ranking.ts'

/** What callers ask about the sections of a prompt (#agent/domain/prompt.ts). Other sections are instructions. */
const questions: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'The business': ['What do you do?', 'What kind of business are you?', 'Tell me about your business'],
  Address: ['Where are you?', 'What is your address?', 'How do I get there?', 'How do I find you?'],
  'Opening hours': [
    'What are your opening hours?',
    'When are you open?',
    'When do you open?',
    'When do you close?',
    'How late are you open?',
    'Are you open today?',
    'Are you open on Sunday?',
    'Are you closed on Monday?',
    'Are you open at the weekend?',
    'Are you open at Christmas and on holidays?',
  ],
  Emergencies: ['This is an emergency', 'It is urgent', 'I need help at once'],
}

const answerOf = ([title, ...also]: readonly [string, ...string[]], text: string): Answer => ({
  url: '',
  title,
  also,
  text,
})

/** Returns what a prompt tells an agent, as answers to callers' questions. */
export function answersInPrompt(prompt: string): Answer[] {
  const sections = [...prompt.matchAll(/^## (.+)\n([^]*?)(?=\n\n|$(?![^]))/gm)]
  return sections.flatMap(([, heading = '', text = '']): Answer[] => {
    if (heading === 'Services')
      return [...text.matchAll(/^- ([^,\n]+)(?:, (.+))?$/gm)].map(([, service = '', facts]) =>
        answerOf(
          [
            `How much is ${service}?`,
            `What does ${service} cost?`,
            `How long does ${service} take?`,
            `Do you have ${service}?`,
            service,
          ],
          facts ? `${service}: ${facts}.` : `Yes, we have ${service}.`,
        ),
      )
    if (heading === 'Questions and answers')
      return [...text.matchAll(/^Q: (.+)\nA: (.+)$/gm)].map(([, question = '', answer = '']) =>
        answerOf([question], answer),
      )
    const asked = questions[heading]
    return asked ? [answerOf(asked, text.replaceAll('\n', ' '))] : []
  })
}
