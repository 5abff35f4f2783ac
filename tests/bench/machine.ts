import { cpus, loadavg, totalmem } from 'node:os'

/** One line about what the numbers were measured with. */
export function describeMachine(chromium: string): string {
  const all = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${memory} GB; Node ${process.versions.node}, Chromium ${chromium}; ${load()}`
}

/** Times are worth little while something else runs. */
export const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`
