import { dayNames, unsavableParts, weekdays, type AgentKnowledge, type OpenHours } from './knowledge.ts'

/** How a part of what an agent knows stands: `check` has a text that cannot be saved. */
export type SectionState = 'done' | 'todo' | 'optional' | 'check'

/** The parts of what an agent knows, in the portal's order, and what each of them has. */
const partsOf = {
  business: ['about', 'address'],
  hours: ['hours', 'holidays'],
  services: ['services'],
  answers: ['answers'],
  instructions: ['bookings', 'complaints', 'emergencies'],
} as const satisfies Record<string, readonly (keyof AgentKnowledge)[]>

interface Summary {
  /** What is in the part, in a line. */
  summary: string
  state: SectionState
}

const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`

/**
 * Says of each part of what an agent knows what is in it, and how it stands.
 * @param business the name of the business; null if the customer has not given it
 */
export function summarize(
  knowledge: AgentKnowledge,
  business: string | null,
): Record<keyof typeof partsOf, Summary> {
  const { about, address, hours, holidays, services, answers } = knowledge
  const unsavable = unsavableParts(knowledge)
  const isWrong = (part: keyof typeof partsOf): boolean =>
    partsOf[part].some((each) => unsavable.includes(each))
  const of = (part: keyof typeof partsOf, isDone: boolean, otherwise: SectionState, summary: string) => ({
    summary,
    state: isWrong(part) ? 'check' : isDone ? ('done' as const) : otherwise,
  })
  const instructions = partsOf.instructions.filter((each) => knowledge[each].trim() !== '')
  return {
    business: of(
      'business',
      Boolean(business && about.trim()),
      'todo',
      [business, address || about].filter(Boolean).join(', ') || 'Its name, what it does, and where it is.',
    ),
    hours: of(
      'hours',
      hours !== null,
      'todo',
      hours
        ? [hoursText(hours), holidays.length > 0 && counted(holidays.length, 'holiday', 'holidays')]
            .filter(Boolean)
            .join(', ')
        : 'Your agent says that it does not know them.',
    ),
    services: of(
      'services',
      services.length > 0,
      'optional',
      services.length > 0
        ? `${counted(services.length, 'service', 'services')}: ${services.map(({ name }) => name).join(', ')}`
        : 'What you offer, what it costs, and how long it takes.',
    ),
    answers: of(
      'answers',
      answers.length > 0,
      'todo',
      answers.length > 0
        ? counted(answers.length, 'answer', 'answers')
        : 'What your callers ask most, and what your agent answers.',
    ),
    instructions: of(
      'instructions',
      instructions.length > 0,
      'optional',
      instructions.length > 0
        ? `For ${new Intl.ListFormat('en').format(instructions)}`
        : 'How your agent deals with bookings, complaints and emergencies.',
    ),
  }
}

/** Returns a week in words; days that are alike are named together. */
export function hoursText(hours: OpenHours): string {
  const runs: { first: string; last: string; open: string }[] = []
  for (const day of weekdays) {
    const open =
      hours[day]
        .map(({ from, until }) =>
          from === '00:00' && until === '24:00' ? 'open 24 hours' : `${from} to ${until}`,
        )
        .join(' and ') || 'closed'
    const run = runs.at(-1)
    if (run?.open === open) run.last = dayNames[day]
    else runs.push({ first: dayNames[day], last: dayNames[day], open })
  }
  return runs
    .map(({ first, last, open }) => `${first === last ? first : `${first} to ${last}`} ${open}`)
    .join(', ')
}
