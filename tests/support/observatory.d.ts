declare module '@mdn/mdn-http-observatory' {
  interface Scan {
    scan: { grade: string; score: number }
    tests: Record<string, { pass: boolean; result: string }>
  }
  /** @param address a host, with a path or without */
  export function scan(address: string): Promise<Scan>
}
