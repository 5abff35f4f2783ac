import { titleKey } from '#platform/domain/text/title-key.ts'
import { businessNameMaxLength } from '#agent/domain/agent-settings.ts'
import { hoursInText } from './hours-in-text.ts'
import { knowledgeLimits, type AgentKnowledge } from './knowledge.ts'
import { hoursText } from './sections.ts'

/** An entry that a text proposes. It is taken over only once a person has confirmed it. */
export type Proposal =
  | { kind: 'business'; text: string }
  | { kind: 'about' | 'address'; text: string }
  | { kind: 'hours'; hours: NonNullable<AgentKnowledge['hours']> }
  | { kind: 'service'; service: AgentKnowledge['services'][number] }
  | { kind: 'answer'; question: string; answer: string }

/** What the customer has already; nothing of it that a person wrote is replaced. */
export interface Known {
  business: string | null
  knowledge: AgentKnowledge
}

/** The line that ends a part of a page. Headings begin with {@link headingMark}. */
export const partEnd = '---'
export const headingMark = '# '

/** The longest text that is searched, in characters. */
export const importMaxLength = 60_000

/** Names a proposal, for a list and for what is left out. */
export const proposalKey = (proposal: Proposal): string => {
  switch (proposal.kind) {
    case 'service':
      return `service ${titleKey(proposal.service.name)}`
    case 'answer':
      return `answer ${titleKey(proposal.question)}`
    default:
      return proposal.kind
  }
}

/** Returns a proposal in a heading and a text, as a customer reads it. */
export function proposalText(proposal: Proposal): { title: string; text: string } {
  switch (proposal.kind) {
    case 'business':
      return { title: 'Name of your business', text: proposal.text }
    case 'about':
      return { title: 'What it does', text: proposal.text }
    case 'address':
      return { title: 'Address', text: proposal.text }
    case 'hours':
      return { title: 'Opening hours', text: hoursText(proposal.hours) }
    case 'service': {
      const { name, price, minutes } = proposal.service
      return { title: name, text: [price, minutes && `${minutes} minutes`].filter(Boolean).join(', ') }
    }
    case 'answer':
      return { title: proposal.question, text: proposal.answer }
  }
}

/** Finds what a text says that the agent does not know yet. It proposes; it takes nothing over. */
export function proposalsIn(text: string, known: Known): Proposal[] {
  const lines = text
    .slice(0, importMaxLength)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
  const hours = hoursInText(lines.join('\n'))
  const answers = answersIn(lines)
  const asked = new Set(answers.flatMap(({ question, answer }) => [question, answer]))
  const found: Proposal[] = [
    ...textOf('business', nameIn(lines), businessNameMaxLength),
    ...textOf('about', aboutIn(lines, asked), knowledgeLimits.about),
    ...textOf('address', addressIn(lines), knowledgeLimits.address),
    ...(hours ? [{ kind: 'hours' as const, hours }] : []),
    ...servicesIn(lines, asked).map((service) => ({ kind: 'service' as const, service })),
    ...answers.map((each) => ({ kind: 'answer' as const, ...each })),
  ]
  const seen = new Set<string>()
  return found.filter((proposal) => {
    const key = proposalKey(proposal)
    if (seen.has(key) || !isNew(proposal, known)) return false
    seen.add(key)
    return true
  })
}

const textOf = (
  kind: 'business' | 'about' | 'address',
  text: string | undefined,
  longest: number,
): Proposal[] => (text ? [{ kind, text: text.slice(0, longest).trim() }] : [])

/** Whether the customer's own words leave room for a proposal. */
function isNew(proposal: Proposal, { business, knowledge }: Known): boolean {
  switch (proposal.kind) {
    case 'business':
      return !business
    case 'about':
    case 'address':
      return !knowledge[proposal.kind].trim()
    case 'hours':
      return knowledge.hours === null
    case 'service': {
      const name = titleKey(proposal.service.name)
      return (
        knowledge.services.length < knowledgeLimits.services &&
        !knowledge.services.some((service) => titleKey(service.name) === name)
      )
    }
    case 'answer': {
      const question = titleKey(proposal.question)
      const same = knowledge.answers.find((entry) => titleKey(entry.question) === question)
      return same
        ? same.origin === 'imported' && same.answer !== proposal.answer
        : knowledge.answers.length < knowledgeLimits.answers
    }
  }
}

/**
 * Takes confirmed proposals over. What a person wrote meanwhile stays.
 * @returns what changes in the knowledge, and the name of the business if it was among them
 */
export function takeOver(
  proposals: readonly Proposal[],
  known: Known,
): { knowledge: AgentKnowledge; business: string | null } {
  let { knowledge, business } = known
  for (const proposal of proposals) {
    if (!isNew(proposal, { knowledge, business })) continue
    switch (proposal.kind) {
      case 'business':
        business = proposal.text
        break
      case 'about':
      case 'address':
        knowledge = { ...knowledge, [proposal.kind]: proposal.text }
        break
      case 'hours':
        knowledge = { ...knowledge, hours: proposal.hours }
        break
      case 'service':
        knowledge = { ...knowledge, services: [...knowledge.services, proposal.service] }
        break
      case 'answer': {
        const { question, answer } = proposal
        const others = knowledge.answers.filter((entry) => titleKey(entry.question) !== titleKey(question))
        knowledge = { ...knowledge, answers: [...others, { question, answer, origin: 'imported' }] }
      }
    }
  }
  return { knowledge, business }
}

const labelled = (lines: readonly string[], label: RegExp): string | undefined => {
  for (const line of lines) {
    const [, text = ''] = label.exec(line) ?? []
    if (/\p{L}/u.test(text)) return text.trim()
  }
  return undefined
}
const withoutMark = (line: string): string => line.replace(/^#+ /, '')
const isHeading = (line: string): boolean => line.startsWith(headingMark)
const isSentence = (line: string): boolean => /[.!?…]["”]?$/.test(line)

function nameIn(lines: readonly string[]): string | undefined {
  const named = labelled(lines, /^name: (.{2,80})$/i)
  if (named) return named
  const welcome = labelled(
    lines,
    /\b[Ww]elcome to (?:the )?((?:\p{Lu}|\d)[\p{L}\d&'’. -]{2,60}?)(?:[,.!]|$)/u,
  )
  if (welcome) return welcome
  const first = withoutMark(lines.find((line) => line && line !== partEnd) ?? '')
  return first.length <= 60 && /^\p{Lu}[^:?!]*$/u.test(first) && !isSentence(first) && !price.test(first)
    ? first
    : undefined
}

const aboutHeading =
  /^(?:# )?(?:about(?: us)?|who we are|what we do|uber uns|über uns|qui sommes-nous|à propos|sobre nosotros|quiénes somos|chi siamo|sobre nós|quem somos|over ons)[.:]?$/i

function aboutIn(lines: readonly string[], asked: ReadonlySet<string>): string | undefined {
  const said = labelled(lines, /^(?:about|what we do|description): (.{20,})$/i)
  if (said) return said
  const isText = (line: string): boolean =>
    line.length >= 40 &&
    /[.!…]$/.test(line) &&
    !line.includes('?') &&
    !asked.has(line) &&
    !copyright.test(line)
  const heading = lines.findIndex((line) => aboutHeading.test(line))
  const below = heading < 0 ? undefined : lines.slice(heading + 1, heading + 6).find(isText)
  return below ?? lines.find((line) => line.length >= 60 && isText(line))
}

const copyright = /©|\bcookies?\b|all rights reserved|javascript/i

/** Postcodes with what stands around them, by country. */
const postcodes = [
  /\b[A-Z]{2} \d{5}(?:-\d{4})?\b/,
  /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/,
  /\b[A-Z]\d[A-Z] \d[A-Z]\d\b/,
  /\b[A-Z]\d[\dW] [A-Z\d]{4}\b/,
  /\b\d{4} ?[A-Z]{2}\b(?=,? \p{Lu})/u,
  /\b\d{4}-\d{3}\b/,
  /(?:^|[^\d€$£])\d{4,5} \p{Lu}\p{Ll}+/u,
]
const addressLabel =
  /^(?:# )?(?:our )?(?:address|adresse|anschrift|dirección|indirizzo|morada|endereço|adres|where to find us|find us|visit us|where we are|location)\b\s*:?\s*(.*)$/i
const isPlace = (line: string): boolean =>
  line.length >= 8 && line.length <= 150 && /\d/.test(line) && /\p{L}{3}/u.test(line) && !/[?@]/.test(line)

const addressIn = (lines: readonly string[]): string | undefined =>
  labelledAddress(lines) ?? addressByPostcode(lines)

function labelledAddress(lines: readonly string[]): string | undefined {
  for (const [index, line] of lines.entries()) {
    const label = addressLabel.exec(line)
    if (!label) continue
    const same = label[1] ?? ''
    if (isPlace(same) && !isSentence(same)) return same
    const at = lines.findIndex((below, nth) => nth > index && below !== '')
    const [below = '', next = ''] = at < 0 || same ? [] : lines.slice(at, at + 2)
    if (!isPlace(below) || isSentence(below)) continue
    const isSplit = !postcodes.some((each) => each.test(below)) && postcodes.some((each) => each.test(next))
    return isSplit ? `${below}, ${next}` : below
  }
  return undefined
}

function addressByPostcode(lines: readonly string[]): string | undefined {
  for (const [index, line] of lines.entries()) {
    if (!isPlace(line) || line.length > 120 || isSentence(line) || phone.test(line)) continue
    const code = postcodes.find((each) => each.test(line))
    if (!code) continue
    if (/\d/.test(line.replace(code, ''))) return withoutMark(line)
    const above = lines[index - 1] ?? ''
    return isPlace(above) && !isHeading(above) ? `${above}, ${line}` : line
  }
  return undefined
}
const phone = /(?:\btel|\bphone|\bfax|\+\d)/i

const amount = String.raw`\d{1,3}(?:[.,  ]\d{3})*(?:[.,]\d{1,2})?|\d{1,6}(?:[.,]\d{1,2})?`
const currency = String.raw`[$€£¥]|US\$|CHF|EUR|USD|GBP|CAD|AUD|SEK|NOK|DKK|PLN|kr\.?|zł`
const price = new RegExp(
  String.raw`(?:(?<!\p{L})(?:from|ab|dès|à partir de|desde|da|a partir de|vanaf)\s+)?(?:(?:${currency})\s?(?:${amount})|(?:${amount})\s?(?:${currency}))(?![\p{L}\d])`,
  'iu',
)
const length =
  /(\d{1,3}(?:[.,]5)?)\s*-?\s*(min(?:ute|uten|uti|utos|uut)?s?\b\.?|h(?:ou)?rs?\b\.?|h\b|stunden?\b|std\b\.?)/i
const noService =
  /\b(?:total|subtotal|vat|tax|shipping|cart|basket|off|discount|save|voucher|©|deposit|fee of)\b/i

function servicesIn(lines: readonly string[], asked: ReadonlySet<string>): AgentKnowledge['services'] {
  const services: AgentKnowledge['services'] = []
  let heading = ''
  let above = ''
  for (const marked of lines) {
    const line = withoutMark(marked).replace(/^[-–*•·▪]\s+/, '')
    const at = price.exec(line)
    if (at && line.length <= 160 && !line.includes('?') && !noService.test(line) && !asked.has(line)) {
      const service = serviceOf(line, at.index, heading || above)
      if (service) services.push(service)
      heading = ''
    } else if (isHeading(marked)) heading = line
    // The price of a card stands below its heading, at most a description away.
    else if (marked === partEnd) heading = ''
    if (line) above = at ? '' : line
  }
  return services
}

function serviceOf(line: string, at: number, title: string): AgentKnowledge['services'][number] | undefined {
  const duration = length.exec(line)
  const start = duration && duration.index < at ? duration.index : at
  const before = nameOf(line.slice(0, start))
  const name = before || nameOf(title)
  const words = name.split(' ').length
  // A price inside a sentence belongs to an answer.
  if (!/\p{L}{2}/u.test(name) || name.length > 80 || words > 8) return undefined
  if (isSentence(line) && line.split(' ').length > 7) return undefined
  const isOnly = (line.match(new RegExp(price, 'giu')) ?? []).length === 1
  const rest = line.slice(isOnly ? at : start)
  const cost = (isOnly && duration ? rest.replace(duration[0], '') : rest)
    .replace(/[\s(),;:·|/–-]+$/u, '')
    .replace(/\(\s*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (cost.length > 60) return undefined
  const minutes = isOnly && duration ? minutesOf(duration) : null
  return { name: name.slice(0, knowledgeLimits.name), price: cost, minutes }
}

const nameOf = (text: string): string =>
  text
    .replace(/[\s.:…·|(,;–—-]+$/u, '')
    .replace(/\s+/g, ' ')
    .trim()

function minutesOf([, number = '', unit = '']: RegExpExecArray): number | null {
  const minutes = Math.round(Number(number.replace(',', '.')) * (/^min/i.test(unit) ? 1 : 60))
  return minutes >= 1 && minutes <= 1_440 ? minutes : null
}

const questionMark =
  /^(?:#+ )?(?:q(?:uestion)?\s*[.:)]\s*|f(?:rage)?\s*[:.]\s*|\d{1,2}[.)]\s+|[-–*•+▸►]\s*)?(.+)$/i
const answerMark = /^(?:a(?:nswer)?|antwort|réponse|r)\s*[.:]\s*/i

function answersIn(lines: readonly string[]): { question: string; answer: string }[] {
  const found: { question: string; answer: string }[] = []
  const isQuestion = (text: string): boolean =>
    text.endsWith('?') && text.length >= 8 && text.length <= knowledgeLimits.question && text.includes(' ')
  for (const [index, line] of lines.entries()) {
    const [, text = ''] = questionMark.exec(line) ?? []
    const [, first = '', rest = ''] = /^([^?]{6,199}\?)\s+([^?]{4,})$/.exec(text) ?? []
    if (first && isQuestion(first) && !isHeading(line)) {
      found.push({ question: first, answer: rest.replace(answerMark, '').slice(0, knowledgeLimits.answer) })
      continue
    }
    if (!isQuestion(text)) continue
    const answer = paragraphAfter(lines, index + 1)
    if (answer) found.push({ question: text, answer })
  }
  return found
}

/** Returns the paragraph that begins with the next line that has a text; undefined if a heading or a question comes first. */
function paragraphAfter(lines: readonly string[], from: number): string | undefined {
  const begin = lines.findIndex((line, index) => index >= from && line !== '')
  const paragraph: string[] = []
  for (const line of begin < 0 ? [] : lines.slice(begin)) {
    if (line === '' || line === partEnd || isHeading(line) || line.endsWith('?')) break
    if (paragraph.length > 0 && price.test(line) && !isSentence(line)) break
    paragraph.push(line)
  }
  const text = paragraph.join(' ').replace(answerMark, '').trim()
  return text.length >= 2 ? text.slice(0, knowledgeLimits.answer) : undefined
}
