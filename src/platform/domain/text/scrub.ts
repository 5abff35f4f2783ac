/** What may be personal in an error's message, in this order: each is replaced by its name. */
const personal: readonly [RegExp, string][] = [
  // What a parser could not read may be anything that was typed.
  [/"[^"]*"?/g, '[text]'],
  [/[^\s@'<>()]+@[^\s@'<>()]+/g, '[e-mail]'],
  [/[?#][^\s')]*/g, ''],
  // Tokens and keys; an identifier of our code has no digits, or is shorter.
  [/(?=[\w.-]*\d)[\w-]{16,}(?:\.[\w-]+)*/g, '[token]'],
  [/\+?\d[\d\s().-]{5,}\d/g, '[number]'],
]

/** Takes out of an error's message what may be personal, and shortens it. */
export const scrubbed = (message: string): string =>
  personal.reduce((text, [form, name]) => text.replace(form, name), message.slice(0, 1000)).slice(0, 200)
