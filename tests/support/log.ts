import { onTestFinished, vi } from 'vitest'

/** Captures the console's output until the test ends. */
export function captureLog(): { lines(): string[]; text(): string } {
  const lines: string[] = []
  for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map((part) => (part instanceof Error ? String(part.stack) : String(part))).join(' '))
    })
    onTestFinished(() => spy.mockRestore())
  }
  return { lines: () => lines, text: () => lines.join('\n') }
}
