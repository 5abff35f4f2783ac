import type { StripeElementStyle } from '@stripe/stripe-js'

const variants = { base: '', complete: '.complete', empty: '.empty', invalid: '.invalid' } as const
const pseudoSelectors = [
  ':hover',
  ':focus',
  '::placeholder',
  '::selection',
  ':-webkit-autofill',
  ':disabled',
] as const

/** Converts the element's `style` option into a style sheet, safe against values that would inject rules. */
export function sheetOf(style: StripeElementStyle): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  for (const [name, suffix] of Object.entries(variants)) {
    const variant = style[name as keyof typeof variants]
    if (!variant) continue
    addRule(sheet, `input${suffix}`, variant)
    for (const pseudo of pseudoSelectors) {
      const nested = (variant as Record<string, unknown>)[pseudo]
      if (nested && typeof nested === 'object') addRule(sheet, `input${suffix}${pseudo}`, nested)
    }
    if (typeof variant.iconColor === 'string') {
      addRule(sheet, suffix ? `form:has(input${suffix}) svg` : 'svg', { color: variant.iconColor })
    }
  }
  return sheet
}

function addRule(sheet: CSSStyleSheet, selector: string, properties: object): void {
  const index = sheet.insertRule(`${selector} {}`, sheet.cssRules.length)
  const rule = sheet.cssRules[index]
  if (!(rule instanceof CSSStyleRule)) return
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value !== 'string' || name === 'iconColor') continue
    const property = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    rule.style.setProperty(property === 'font-smoothing' ? '-webkit-font-smoothing' : property, value)
  }
}
