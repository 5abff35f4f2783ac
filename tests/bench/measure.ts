import { performance } from 'node:perf_hooks'

export interface Line {
  name: string
  atOnce: number
  /** The median, in milliseconds. */
  p50: number
  /** The 95th and the 99th percentile, in milliseconds. */
  p95: number
  p99: number
  aSecond: number
}

/** Runs the tasks, `atOnce` at the same time, and times each one. */
export async function measure(
  name: string,
  atOnce: number,
  tasks: readonly (() => Promise<void>)[],
): Promise<Line> {
  const waiting = [...tasks]
  const durations: number[] = []
  const startedAt = performance.now()
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const start = performance.now()
      await next()
      durations.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  durations.sort((one, other) => one - other)
  const at = (share: number): number => durations[Math.ceil(durations.length * share) - 1] ?? 0
  return { name, atOnce, p50: at(0.5), p95: at(0.95), p99: at(0.99), aSecond: tasks.length / seconds }
}

export const columns = ['function', 'at once', 'p50', 'p95', 'p99', 'a second'] as const
export const rowsOf = (lines: readonly Line[]): string[][] =>
  lines.map(({ name, atOnce, p50, p95, p99, aSecond }) => [
    name,
    String(atOnce),
    p50.toFixed(0),
    p95.toFixed(0),
    p99.toFixed(0),
    aSecond.toFixed(1),
  ])
