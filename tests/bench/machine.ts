import { cpus, loadavg, totalmem } from 'node:os'

/** Describes the machine and the browser in one line. */
export function describeMachine(chromium: string): string {
  const all = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${memory} GB; Node ${process.versions.node}, Chromium ${chromium}; ${load()}`
}

/** Returns the load average. Times are not reliable while other programs run. */
export const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`
