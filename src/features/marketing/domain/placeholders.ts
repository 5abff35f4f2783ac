import { languageOf, locales } from '#agent/domain/locales.ts'
import {
  currencyName,
  exactPrice,
  minutePackage,
  minutesLabel,
  plans,
  priceAmount,
  priceLabel,
  type Plan,
} from '#plans/domain/plans.ts'

/**
 * The values of the placeholders that depend on the brand. Editors write placeholders in double braces, as in
 * `{{plan.growth.price}}`, for facts that the code defines and prose must not repeat (docs/content.md).
 */
interface Brand {
  name: string
  email: string
  /** The origin of the site. */
  url: string
  guaranteeDays: number
}

const joined = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)
const namesOf = (select: (plan: Plan) => boolean): string =>
  joined(plans.filter(select).map((plan) => plan.name))

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
/** Returns the languages that agents speak. */
const languages = (): string =>
  joined([...new Set(locales.map(languageOf))].map((language) => languageNames.of(language)!).sort())

const row = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`
const head = (name: string, right = false): string =>
  `<th${right ? ' class="r"' : ''} scope="col">${name}</th>`

/** Returns the plans as an HTML table, for the terms. */
const table = (): string => {
  const rows = plans.map((plan) =>
    row([
      `<td><b>${plan.name}</b></td>`,
      `<td class="r">${priceLabel(plan)}</td>`,
      `<td class="r">${minutesLabel(plan)}</td>`,
      `<td>${plan.voiceCloning ? 'Included' : 'Not included'}</td>`,
    ]),
  )
  const heads = row([head('Plan'), head('A month', true), head('Minutes', true), head('Voice cloning')])
  return `<table><thead>${heads}</thead><tbody>${rows.join('')}</tbody></table>`
}

/** Says what the operator promises to customers who are not content. */
const guarantee = ({ guaranteeDays: days }: Pick<Brand, 'guaranteeDays'>): string =>
  days > 0
    ? `If you are not content, write to us within ${days} days of your first payment, and we pay it back.`
    : 'There is no money-back promise; rights that the law gives you remain untouched.'

const factsOf = (plan: Plan): [string, string][] => [
  [`plan.${plan.id}.name`, plan.name],
  [`plan.${plan.id}.price`, priceLabel(plan)],
  [`plan.${plan.id}.minutes`, minutesLabel(plan)],
  ...(plan.priceCents === null
    ? []
    : [[`plan.${plan.id}.minute`, exactPrice(plan.priceCents / plan.minutes)] satisfies [string, string]]),
  [`plan.${plan.id}.lines`, plan.lines.words.toLowerCase()],
  [`plan.${plan.id}.languages`, plan.languages.words.toLowerCase()],
  [`plan.${plan.id}.agents`, plan.agents.words.toLowerCase()],
]

/** Returns the value of every placeholder. */
export const placeholders = (brand: Brand): ReadonlyMap<string, string> =>
  new Map([
    ['brand', brand.name],
    ['email', brand.email],
    ['url', brand.url],
    ['guarantee', guarantee(brand)],
    ['currency', currencyName],
    ['package.minutes', String(minutePackage.minutes)],
    ['package.price', priceAmount(minutePackage.cents)],
    ['package.minute', exactPrice(minutePackage.cents / minutePackage.minutes)],
    ...plans.flatMap(factsOf),
    ['plans.voice-cloning', namesOf((plan) => plan.voiceCloning)],
    ['plans.voice-sample', namesOf((plan) => plan.voiceSample)],
    ['plans.table', table()],
    ['languages', languages()],
  ])

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g
/** An example of what only the operator knows. A production deployment stops while there is any (setup/content.ts). */
const example = /\[\[(.*?)\]\]/g

/** Replaces the placeholders by their values, and takes the marks from examples; `unknown` lists those without a value. */
export function fillPlaceholders(
  text: string,
  facts: ReadonlyMap<string, string>,
): { text: string; unknown: readonly string[] } {
  const unknown: string[] = []
  const filled = text.replace(pattern, (whole, name: string) => {
    const fact = facts.get(name)
    if (fact === undefined) unknown.push(whole)
    return fact ?? whole
  })
  return { text: filled.replace(example, '$1'), unknown }
}
