import { createHash } from 'node:crypto'

/** Returns the hash under which the content policy admits an inline script or style. */
export const scriptHash = (content: string): `sha256-${string}` =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`
