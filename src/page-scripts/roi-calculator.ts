/** The calculator at work: its numbers come from the address, and go back there once they rest. */
import { roiAction, roiDots, roiReading, type RoiAction } from '#marketing/domain/roi-reading.ts'
import {
  calculateRoi,
  parseRoi,
  roiExample,
  serializeRoi,
  typedNumber,
  type RoiField,
} from '#marketing/domain/roi.ts'
import { calculatorAt } from '#platform/domain/routes.ts'

/** Long enough for a fader to pass by: browsers limit new addresses, and people new sentences. */
const restMilliseconds = 400

const root = document.getElementById('calculator') as HTMLElement
const find = <Found extends Element = HTMLElement>(selector: string): Found =>
  root.querySelector<Found>(selector) as Found
const status = find('[role=status]')
const action = find<HTMLAnchorElement>('[data-action]')
const copy = find('[data-copy]')
const address = find('[data-address]')

/**
 * What can be typed into is made here: for a text field that a document brings, a browser that fills in forms lays the
 * whole page out before its first paint.
 */
function textField(attributes: Record<string, string>): HTMLInputElement {
  const field = document.createElement('input')
  for (const [name, value] of Object.entries({ type: 'text', ...attributes })) field.setAttribute(name, value)
  return field
}
const line = textField({ readonly: '', 'aria-labelledby': 'roi-address' })
address.append(line)

const fields = [...root.querySelectorAll<HTMLElement>('[data-field]')].map((box) => {
  const [label, number, fader] = ['label', 'data', 'input'].map((name) => box.querySelector(name)) as [
    HTMLLabelElement,
    HTMLDataElement,
    HTMLInputElement,
  ]
  const { id, value } = number
  const typed = textField({ id, inputmode: 'decimal', autocomplete: 'off', maxlength: '12', value })
  number.replaceWith(typed)
  label.htmlFor = id
  return { id: box.dataset.field as RoiField, typed, fader, problem: box.lastElementChild as HTMLElement }
})
type Field = (typeof fields)[number]

const example = { ...roiExample }
for (const { id, typed } of fields) example[id] = Number(typed.defaultValue)
let inputs = example
let resting: ReturnType<typeof setTimeout> | undefined

function showResult(): void {
  const roi = calculateRoi(inputs)
  for (const [name, text] of Object.entries(roiReading(roi))) find(`[data-roi=${name}]`).textContent = text
  for (const [name, path] of Object.entries(roiDots(roi))) find(`[data-dots=${name}]`).setAttribute('d', path)
  const button = roiAction[root.dataset.leadsTo as RoiAction](inputs)
  action.href = button.href
  action.textContent = button.action
  copy.textContent = 'Copy link'
  address.hidden = true
}

/** What is being typed stays as it is; the fader follows as far as it reaches. */
function showNumber({ id, typed, fader, problem }: Field, typing = false): void {
  const text = String(inputs[id])
  if (!typing) typed.value = text
  fader.value = text
  fader.ariaValueText = text
  problem.hidden = true
  typed.ariaInvalid = null
  typed.removeAttribute('aria-describedby')
}

function readAddress(): void {
  inputs = parseRoi(new URLSearchParams(location.search), example)
  fields.forEach((field) => showNumber(field))
  showResult()
}

/** Also ends the wait for the numbers to rest, so that what is said next is not overwritten. */
function writeAddress(): void {
  clearTimeout(resting)
  const query = serializeRoi(inputs, new URLSearchParams(location.search), example)
  history.replaceState(history.state, '', calculatorAt(location.pathname, query))
}

root.addEventListener('input', ({ target }) => {
  const field = fields.find(({ typed, fader }) => typed === target || fader === target)
  if (!field) return
  const typing = field.typed === target
  const value = typing ? typedNumber(field.id, field.typed.value) : field.fader.valueAsNumber
  // A number half typed is no mistake yet.
  if (value === undefined) return
  inputs = { ...inputs, [field.id]: value }
  showNumber(field, typing)
  showResult()
  clearTimeout(resting)
  resting = setTimeout(() => {
    writeAddress()
    status.textContent = `${find('[data-roi=plan]').textContent}. ${find('[data-roi=verdict]').textContent}`
  }, restMilliseconds)
})

root.addEventListener('change', ({ target }) => {
  const field = fields.find(({ typed }) => typed === target)
  if (!field || typedNumber(field.id, field.typed.value) !== undefined) return
  writeAddress()
  const { typed, problem } = field
  problem.hidden = false
  typed.ariaInvalid = 'true'
  typed.setAttribute('aria-describedby', problem.id)
  status.textContent = problem.textContent
})

copy.addEventListener('click', async (event) => {
  event.preventDefault()
  writeAddress()
  try {
    await navigator.clipboard.writeText(location.href)
    status.textContent = copy.textContent = 'Link copied'
  } catch {
    line.value = location.href
    address.hidden = false
    line.select()
  }
})
action.addEventListener('click', writeAddress)
addEventListener('popstate', readAddress)

readAddress()
find<HTMLFieldSetElement>('fieldset').disabled = false
copy.hidden = false
