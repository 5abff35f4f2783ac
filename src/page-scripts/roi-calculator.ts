/** Runs the calculator. Its numbers are read from the URL, and written back when they stop changing. */
import { roiAction, roiDots, roiTexts, type RoiAction } from '#marketing/domain/roi/roi-texts.ts'
import {
  calculateRoi,
  parseRoi,
  roiExample,
  serializeRoi,
  parseNumber,
  type RoiField,
} from '#marketing/domain/roi/roi.ts'
import { onUse } from '#platform/browser/loading.ts'
import { calculatorUrl } from '#platform/domain/routes.ts'

/**
 * The time without a change before the URL and the status text are updated. Browsers limit how often the URL may
 * change, and a screen reader reads each new status.
 */
const updateDelayMs = 400

const root = document.getElementById('calculator') as HTMLElement
const find = <Found extends Element = HTMLElement>(selector: string): Found =>
  root.querySelector<Found>(selector) as Found
const status = find('[role=status]')
const action = find<HTMLAnchorElement>('[data-action]')
const copy = find('[data-copy]')
const linkBox = find('[data-address]')
const share = document.createElement('button')
share.type = 'button'
share.className = copy.className

/**
 * Creates a text field. Text fields are created by script because a browser with autofill lays out the whole page
 * before the first paint if the document contains text fields.
 */
function textField(attributes: Record<string, string>): HTMLInputElement {
  const field = document.createElement('input')
  for (const [name, value] of Object.entries({ type: 'text', ...attributes })) field.setAttribute(name, value)
  return field
}
const linkField = textField({ readonly: '', 'aria-labelledby': 'roi-address' })
linkBox.append(linkField)

const fields = [...root.querySelectorAll<HTMLElement>('[data-field]')].map((box) => {
  const [label, number, fader] = ['label', 'data', 'input'].map((name) => box.querySelector(name)) as [
    HTMLLabelElement,
    HTMLDataElement,
    HTMLInputElement,
  ]
  const { id, value } = number
  const input = textField({ id, inputmode: 'decimal', autocomplete: 'off', maxlength: '12', value })
  input.className = number.className
  number.replaceWith(input)
  label.htmlFor = id
  return { id: box.dataset.field as RoiField, input, fader, problem: box.lastElementChild as HTMLElement }
})
type Field = (typeof fields)[number]

const example = { ...roiExample }
for (const { id, input } of fields) example[id] = Number(input.defaultValue)
let inputs = example
let updateTimer: ReturnType<typeof setTimeout> | undefined

function showResult(): void {
  const roi = calculateRoi(inputs)
  for (const [name, text] of Object.entries(roiTexts(roi))) find(`[data-roi=${name}]`).textContent = text
  for (const [name, path] of Object.entries(roiDots(roi))) find(`[data-dots=${name}]`).setAttribute('d', path)
  const button = roiAction[root.dataset.leadsTo as RoiAction](inputs)
  action.href = button.href
  action.textContent = button.action
  copy.textContent = 'Copy link'
  share.textContent = 'Share'
  linkBox.hidden = true
}

/** Shows a field's number. Text is left alone while the visitor types it; the fader follows up to its maximum. */
function showNumber({ id, input, fader, problem }: Field, isTyping = false): void {
  const text = String(inputs[id])
  if (!isTyping) input.value = text
  fader.value = text
  fader.ariaValueText = text
  problem.hidden = true
  input.ariaInvalid = null
  input.removeAttribute('aria-describedby')
}

function readUrl(): void {
  inputs = parseRoi(new URLSearchParams(location.search), example)
  fields.forEach((field) => showNumber(field))
  showResult()
}

/** Writes the numbers to the URL. A pending update is cancelled, because it would overwrite the next status. */
function writeUrl(): void {
  clearTimeout(updateTimer)
  const query = serializeRoi(inputs, new URLSearchParams(location.search), example)
  history.replaceState(history.state, '', calculatorUrl(location.pathname, query))
}

root.addEventListener('input', ({ target }) => {
  const field = fields.find(({ input, fader }) => input === target || fader === target)
  if (!field) return
  const isTyping = field.input === target
  const value = isTyping ? parseNumber(field.id, field.input.value) : field.fader.valueAsNumber
  // An incomplete number is not an error yet.
  if (value === undefined) return
  inputs = { ...inputs, [field.id]: value }
  showNumber(field, isTyping)
  showResult()
  clearTimeout(updateTimer)
  updateTimer = setTimeout(() => {
    writeUrl()
    status.textContent = `${find('[data-roi=plan]').textContent}. ${find('[data-roi=verdict]').textContent}`
  }, updateDelayMs)
})

root.addEventListener('change', ({ target }) => {
  const field = fields.find(({ input }) => input === target)
  if (!field || parseNumber(field.id, field.input.value) !== undefined) return
  writeUrl()
  const { input, problem } = field
  problem.hidden = false
  input.ariaInvalid = 'true'
  input.setAttribute('aria-describedby', problem.id)
  status.textContent = problem.textContent
})

copy.addEventListener('click', async (event) => {
  event.preventDefault()
  writeUrl()
  try {
    await navigator.clipboard.writeText(location.href)
    status.textContent = copy.textContent = 'Link copied'
  } catch {
    linkField.value = location.href
    linkBox.hidden = false
    linkField.select()
  }
})
share.addEventListener('click', () => {
  writeUrl()
  void onUse(import('./share-roi.ts'), async ({ shareRoi }) => {
    const told = await shareRoi(inputs, location.href)
    if (told) status.textContent = share.textContent = told
  })
})
action.addEventListener('click', writeUrl)
addEventListener('popstate', readUrl)

readUrl()
find<HTMLFieldSetElement>('fieldset').disabled = false
copy.hidden = false
copy.after(share)
