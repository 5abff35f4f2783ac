import { onTestFinished, vi } from 'vitest'
import { checkLine } from './personal-log.ts'

/** A line of the functions' log. */
export type LogEntry = Record<string, unknown> & { level: string; event: string }

/** Captures the console's output until the test ends. */
export function captureLog(): {
  lines(): string[]
  text(): string
  /** Returns the functions' lines of JSON, parsed. */
  entries(): LogEntry[]
  /** Returns those that not every request has. */
  notices(): LogEntry[]
} {
  const lines: string[] = []
  for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      const line = parts.map((part) => (part instanceof Error ? String(part.stack) : String(part))).join(' ')
      lines.push(line)
      checkLine(line)
    })
    onTestFinished(() => spy.mockRestore())
  }
  const entries = () =>
    lines.filter((line) => line.startsWith('{"level"')).map((line) => JSON.parse(line) as LogEntry)
  return {
    lines: () => lines,
    text: () => lines.join('\n'),
    entries,
    notices: () => entries().filter(({ event }) => event !== 'request' && event !== 'provider'),
  }
}
