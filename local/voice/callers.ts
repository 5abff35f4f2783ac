import type { Findings } from './state.ts'

/** A caller whose lines are written. */
interface WrittenCaller {
  wants: string
  /** Reserved for fiction; null if withheld. */
  number: string | null
  lines: readonly string[]
  findings: Findings
}

const caller = (
  wants: string,
  number: string | null,
  lines: readonly string[],
  outcome: string,
  sentiment: Findings['sentiment'] = 'neutral',
): WrittenCaller => ({ wants, number, lines, findings: { about: wants, outcome, sentiment } })

/** Callers of all trades. What the agent was not taught, it does not know. */
export const writtenCallers: readonly WrittenCaller[] = [
  caller(
    'Opening hours',
    '+12025550101',
    ['When are you open?', 'And on Sunday?', 'Thank you, bye.'],
    'Answered',
    'positive',
  ),
  caller('The way', '+12025550102', ['What is your address?', 'Where can I park?'], 'Answered'),
  caller(
    'A room with a dog',
    '+12025550103',
    ['Are dogs welcome?', 'When is check-out?', 'I would like to book a room.'],
    'Passed on',
    'positive',
  ),
  caller(
    'Late arrival',
    '+12025550104',
    ['Can I check in after midnight?', 'How do I get in at night?'],
    'Answered',
  ),
  caller(
    'A table for six',
    '+12025550105',
    ['I would like a table for six on Saturday.', 'Do you have vegan dishes?', 'Is there a table outside?'],
    'Passed on',
    'positive',
  ),
  caller(
    'Allergies',
    '+12025550106',
    ['Is there anything without gluten?', 'Are there nuts in the cake?'],
    'Answered',
  ),
  caller('A takeaway', '+12025550107', ['Do you deliver?', 'Can I fetch two pizzas at seven?'], 'Passed on'),
  caller(
    'An appointment',
    '+12025550108',
    ['I need an appointment.', 'Do I have to bring anything?', 'How long does it take?'],
    'Passed on',
  ),
  caller(
    'Pain',
    '+12025550109',
    ['I am in pain. It is urgent.', 'Can somebody call me back at once?'],
    'Passed on',
    'negative',
  ),
  caller(
    'The price of a treatment',
    '+12025550110',
    ['How much is a massage?', 'Do you take insurance?'],
    'Answered',
  ),
  caller(
    'A parcel',
    '+12025550111',
    ['Where is my parcel?', 'It was to come on Monday.'],
    'Passed on',
    'negative',
  ),
  caller('A return', '+12025550112', ['Can I bring it back?', 'I have no receipt.'], 'Answered'),
  caller('Stock', '+12025550113', ['Do you have it in blue?', 'Until when are you open today?'], 'Answered'),
  caller(
    'A passport',
    '+12025550114',
    ['How do I renew my passport?', 'What do I have to bring?'],
    'Answered',
  ),
  caller(
    'A fine',
    '+12025550115',
    ['Where do I pay a fine?', 'Can I pay it by phone?'],
    'Answered',
    'negative',
  ),
  caller(
    'A tour in the rain',
    '+12025550116',
    ['What happens if it rains?', 'Can I cancel?', 'What does the tour cost?'],
    'Answered',
  ),
  caller(
    'A forgotten password',
    '+12025550117',
    ['I forgot my password.', 'Is there a free trial?'],
    'Answered',
  ),
  caller('A new address', '+12025550118', ['I have moved and want to change my address.'], 'Passed on'),
  caller(
    'A complaint',
    null,
    ['You charged my card twice.', 'I want to speak to a person.'],
    'Passed on',
    'negative',
  ),
  caller(
    'Something that nobody taught',
    '+12025550120',
    ['Do you sell stamps?', 'Is there a planetarium near you?'],
    'Unanswered',
  ),
]
