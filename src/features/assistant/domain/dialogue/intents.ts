/** Recognises what a caller wants, and the names, numbers and times in the caller's words. */
import { dayIn, timeIn } from './calendar.ts'
import { planName } from '#plans/domain/plans.ts'
import { site } from '#site'

/** Returns a pattern that matches this text. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const enterprise = escaped(planName('enterprise'))

/** The times that the agent offers. No calendar is behind them, and the panel says so. */
export const offeredTimes = ['09:40', '11:15', '14:30'] as const

export const yes = /\b(yes|yeah|yep|sure|correct|right|ok|okay|please do|exactly|fine|perfect)\b/i
/** Matches a bare consent, which says nothing else. */
export const agrees = /^\W*(yes|yeah|yep|sure|ok|okay|please|please do)\b[\W]*(please|do|do that)?\W*$/i
export const no = /\b(no|nope|wrong|not right|change)\b/i
export const quits =
  /\b(never ?mind|forget it|cancel (that|it|this)|stop|start over|something else)\b|^\W*(please |no,? )?(cancel|quit|exit|abort)( (the|my) (booking|call|appointment|request))?( please)?\W*$/i
/** Matches words that replace an earlier answer: "No, Friday", "make it 9:40", "another day". */
export const changesMind =
  /\b(no|not|wrong|instead|rather|actually|make (it|that)|change|another|different)\b/i
export const books = /\b(book|reserve|reservation|appointment|schedule)\b/i
export const callsBack = /\b(call|ring|phone) me( back)?\b|\bcall ?-?back\b/i
export const plans =
  /\b(best|right|recommend\w*|suggest\w*)\b.*\bplans?\b|\b(which|what) plans?( (do|should|would|can) (i|we)\b.*| (is|suits?|fits?|for)\b.*)?\W*$|\bplans?\b.*\b(need|suits?|fits?)\b/i
/** Matches the consent to pass a request on once more. */
export const retries = /\b(again|retry|resend|send|yes|yeah|yep|sure|ok|okay|please do)\b/i
export const thanks = /^\W*(thanks?|thank you|cheers|great|bye|goodbye)\b/i
export const greets = /^\W*(hi|hello|hey|good (morning|afternoon|evening))\b( there)?\W*$/i
export const asksForHelp = /^\W*help( me)?\W*$/i
export const isRude = /\b(stupid|idiot|dumb|fuck|(bull)?shit|crap|useless|rubbish|suck|annoying)/i
/** Matches the wish to talk about the plan whose price is agreed; what it costs is a question that has an answer. */
export const asksForEnterprise = new RegExp(
  `\\b(ask|talk|speak|contact|quote|interested|reach|write|call)\\b.*\\b${enterprise}\\b|\\b${enterprise}\\b.*\\b(quote|offer|contact|sales|person)\\b`,
  'i',
)
/** Matches questions about the agent: "Can I book a table?" asks for a table, "Does it take bookings?" about the agent. */
export const aboutAgent = new RegExp(
  `\\b(does|can|will|do) (it|the agent|you|this|your agent|${escaped(site.name)})\\b|\\bhow\\b`,
  'i',
)

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

/** How a caller can be reached. */
export interface Contact {
  email?: string
  phone?: string
}
const address = /[a-z0-9._%+-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}\b/
const phoneIn = (text: string): string | undefined => {
  const number = /\+?\d[\d\s().-]{5,20}\d/.exec(text)?.[0].trim()
  const digits = number?.replace(/\D/g, '').length ?? 0
  return digits >= 7 && digits <= 15 ? number : undefined
}
/** Returns the e-mail address in the words, also if it is spoken: "ada at hotel dot example". */
const emailIn = (text: string): string | undefined => {
  const spoken = text
    .toLowerCase()
    .replace(/ *\(?\b(?:at)\b\)? +(?=[\w-]+ ?(?:\.|\bdot\b))/g, '@')
    .replace(/ +dot +/g, '.')
    .replace(/ *([@.]) *(?=\w)/g, '$1')
  return [text.toLowerCase(), spoken].flatMap((words) => address.exec(words)?.[0] ?? [])[0]
}
/** Returns the e-mail address and the phone number in the words; undefined if there is neither. */
export const contactIn = (text: string): Contact | undefined => {
  const email = emailIn(text)
  const phone = phoneIn(email ? text.toLowerCase().replace(email, ' ') : text)
  return email || phone ? { ...(email && { email }), ...(phone && { phone }) } : undefined
}
/** Returns who speaks and how to reach them, if both are said at once: "Ada Lovelace, +1 555 010 4477". */
export const introducedIn = (text: string): { name?: string; contact?: Contact } => {
  const contact = contactIn(text)
  const rest = [contact?.phone, contact?.email].reduce<string>(
    (words, said) => (said ? words.replace(new RegExp(escaped(said), 'i'), ' ') : words),
    text,
  )
  return { name: nameIn(rest.replace(/[\s,;:-]+$/, '')), contact }
}
/** Matches words about time other than numbers. */
export const namesMoment =
  /\b(now|any ?time|today|to(morrow|night|day)|(after|mid)?noon|mornings?|evenings?|nights?|\w+days?|weeks?|weekends?|hours?|o.?clock|lunch\w*|later|soon|asap|after|before|between|until|from)\b/i

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
  const place = ['first|1st|earl', 'second|2nd|middle', 'third|3rd|last|latest'].findIndex((words) =>
    new RegExp(`\\b(${words})`, 'i').test(text),
  )
  return offeredTimes[place] ?? offeredAt(text)
}
