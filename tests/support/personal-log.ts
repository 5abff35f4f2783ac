import { afterEach, expect } from 'vitest'

/** An e-mail address, and a phone number with its country code. */
const personal = [/[\w.+-]+@[\w-]+\.[a-z]/i, /\+\d{7,15}\b/]

const found: string[] = []

/** Notes a line of the functions' log that names a person. */
export function checkLine(line: string): void {
  if (line.startsWith('{"level"') && personal.some((form) => form.test(line))) found.push(line)
}

/** Returns the lines that were noted, and forgets them. */
export const personalLines = (): string[] => found.splice(0)

// Every test of functions is one of their log too: it holds no personal data (docs/operations.md).
for (const level of ['info', 'warn', 'error'] as const) {
  const write = console[level]
  console[level] = (...parts: unknown[]) => {
    checkLine(String(parts[0]))
    write(...parts)
  }
}
afterEach(() => expect(personalLines(), 'lines of the log that name a person').toEqual([]))
