import { onTestFinished, vi } from 'vitest'

/** Keeps what is written to the console until the test is over. */
export function captureLog(): { lines(): string[]; text(): string } {
  const kept: string[] = []
  for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      kept.push(parts.map((part) => (part instanceof Error ? String(part.stack) : String(part))).join(' '))
    })
    onTestFinished(() => spy.mockRestore())
  }
  return { lines: () => kept, text: () => kept.join('\n') }
}
