import type { CallReport } from '#calls/domain/call-report.ts'

/** The contents of a call, without its account and its time. */
export type SampleCall = Omit<CallReport, 'account' | 'call_id' | 'started_at'> & { about: string }

type Turns = readonly (readonly [agent: string, caller: string])[]
/** Makes a transcript of pairs, in each of which the agent speaks first. */
const transcriptOf = (...turns: Turns): NonNullable<CallReport['transcript']> =>
  turns.flatMap(([agent, caller]) => [
    { who: 'agent', text: agent },
    { who: 'caller', text: caller },
  ])

/** Typical calls of hotels, restaurants and clinics. Their phone numbers are reserved for fiction. */
export const sampleCalls: readonly SampleCall[] = [
  {
    phone_number: '+1 212 555 0134',
    seconds: 184,
    about: 'Room with a harbour view, two nights',
    outcome: 'Booked',
    sentiment: 'positive',
    succeeded: true,
    transcript: transcriptOf(
      ['Harbour Hotel, good evening. How may I help?', 'Do you have a room with a view for the weekend?'],
      ['Friday to Sunday, with a harbour view: one is left, at 210 a night.', 'Lovely, I will take it.'],
      ['It is booked in your name. Breakfast is from seven.', 'Thank you, see you on Friday.'],
    ),
  },
  {
    phone_number: '+1 312 555 0177',
    seconds: 61,
    about: 'Table for six on Saturday',
    outcome: 'Booked',
    sentiment: 'positive',
    succeeded: true,
    transcript: transcriptOf(
      ['Good afternoon, how many of you will it be?', 'Six, on Saturday at eight. One of us is vegan.'],
      ['A table for six at eight, and the kitchen knows. Anything else?', 'No, that is all.'],
    ),
  },
  {
    phone_number: '+1 415 555 0102',
    seconds: 97,
    about: 'Check-up moved to another week',
    outcome: 'Rescheduled',
    sentiment: 'neutral',
    succeeded: true,
    transcript: transcriptOf(
      ['Elm Street Clinic, what can I do for you?', 'I cannot come on Tuesday. Is there a later day?'],
      ['Thursday of next week at half past nine is free.', 'Thursday it is.'],
    ),
  },
  {
    phone_number: null,
    seconds: 243,
    about: 'Charged twice for the minibar',
    outcome: 'Passed to manager',
    sentiment: 'negative',
    succeeded: false,
    transcript: transcriptOf(
      ['Good morning, how may I help?', 'You charged my card twice, and nobody calls me back.'],
      ['I am sorry. I cannot see payments, so I pass you to the manager.', 'Please do.'],
    ),
  },
  {
    phone_number: '+1 617 555 0150',
    seconds: 38,
    about: 'Opening hours on the holiday',
    outcome: 'Answered',
    sentiment: 'neutral',
    succeeded: true,
    transcript: transcriptOf(
      ['Good evening!', 'Are you open on Monday?'],
      ['From noon to ten.', 'Thanks, bye.'],
    ),
  },
  {
    phone_number: '+1 212 555 0199',
    direction: 'outbound',
    seconds: 52,
    about: 'Reminder of a table tonight',
    outcome: 'Confirmed',
    sentiment: 'positive',
    succeeded: true,
  },
  { phone_number: '+1 646 555 0111', kind: 'spam', seconds: 12, about: 'Offer of a business loan' },
]
