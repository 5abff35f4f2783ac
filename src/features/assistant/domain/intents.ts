/** Recognises what a caller wants, and the names, numbers and times in the caller's words. */
import { dayIn, timeIn } from './calendar.ts'

/** The times that the agent offers. No calendar is behind them, and the panel says so. */
export const offeredTimes = ['09:40', '11:15', '14:30'] as const

export const yes = /\b(yes|yeah|yep|sure|correct|right|ok|okay|please do|exactly|fine|perfect)\b/i
export const no = /\b(no|nope|wrong|not right|change)\b/i
export const quits =
  /\b(never ?mind|forget it|cancel (that|it|this)|stop|start over|something else)\b|^\W*(please |no,? )?(cancel|quit|exit|abort)( (the|my) (booking|call|appointment|request))?( please)?\W*$/i
/** Matches words that replace an earlier answer: "No, Friday", "make it 9:40", "another day". */
export const changesMind =
  /\b(no|not|wrong|instead|rather|actually|make (it|that)|change|another|different)\b/i
export const books = /\b(book|reserve|reservation|appointment|schedule)\b/i
export const callsBack = /\b(call|ring|phone) me( back)?\b|\bcall ?-?back\b/i
export const plans =
  /\b(which|what|best|right|recommend\w*|suggest\w*)\b.*\bplans?\b|\bplans?\b.*\b(need|suits?|fits?)\b/i
export const thanks = /^\W*(thanks?|thank you|cheers|great|bye|goodbye)\b/i
export const greets = /^\W*(hi|hello|hey|good (morning|afternoon|evening))\b\W*$/i
/** Matches questions about the agent: "Can I book a table?" asks for a table, "Does it take bookings?" about the agent. */
export const aboutAgent = /\b(does|can|will|do) (it|the agent|you|this|your agent|deskbell)\b|\bhow\b/i

const isTalk = /^\W*(yes|no|ok|okay|what|why|i (do not|don['’]?t) know|none|nobody)\b/i
export const nameIn = (text: string): string | undefined => {
  if (text.endsWith('?') || isTalk.test(text)) return undefined
  const name = text
    .replace(
      /^\W*(actually,? )?(my name is|my name['’]s|name is|this is|it is|it['’]s|i am|i['’]m|for|under)\b/i,
      '',
    )
    .replace(/[.!,\s]+$/, '')
    .trim()
  return /\p{L}/u.test(name) && name.length <= 60 ? name : undefined
}
export const numberIn = (text: string): string | undefined => {
  const number = /\+?\d[\d\s().-]{5,20}\d/.exec(text)?.[0].trim()
  const digits = number?.replace(/\D/g, '').length ?? 0
  return digits >= 7 && digits <= 15 ? number : undefined
}
/** Returns the quantity in the unit that was asked for: with `{ week: 1 / 7 }`, "100 a week" is 14.3 a day. */
export const quantityIn = (text: string, units: Record<string, number>): number | undefined => {
  const amount = Number(/\d+(?:\.\d+)?/.exec(text.replace(/,(?=\d{3})/g, ''))?.[0])
  const [, factor = 1] = Object.entries(units).find(([unit]) => text.toLowerCase().includes(unit)) ?? []
  return amount > 0 && amount <= 10_000 ? amount * factor : undefined
}
/** Returns the day that the words name, if it is after today: today's times may be over. */
export const bookableIn = (text: string, today: string): string | undefined => {
  const day = dayIn(text, today)
  return day === today ? undefined : day
}

/** Returns the offered time that the words name by the clock. */
export function offeredAt(text: string): string | undefined {
  const time = timeIn(text)
  return (
    offeredTimes.find((offered) => offered === time) ??
    (time?.endsWith(':00')
      ? offeredTimes.find((offered) => offered.slice(0, 2) === time.slice(0, 2))
      : undefined)
  )
}

/** Returns the offered time that the words mean, by the clock or by its place ("the second"). */
export function offeredIn(text: string): string | undefined {
  const place = ['first|earl', 'second|middle', 'third|last|latest'].findIndex((words) =>
    new RegExp(`\\b(${words})`, 'i').test(text),
  )
  return offeredTimes[place] ?? offeredAt(text)
}
