import { createHash } from 'node:crypto'

const policy = /(<meta http-equiv="content-security-policy" content=")([^"]*)(")/
const inlined = /<(script|style)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/\1>/g

const hashOf = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

/** A page whose content policy admits the scripts and styles that are in it, and not those of the whole site. */
export function narrowPolicy(html: string): string {
  const here = new Set([...html.matchAll(inlined)].map(([, , content = '']) => hashOf(content)))
  return html.replace(policy, (_, before: string, content: string, after: string) => {
    const kept = content.replace(/ ('sha256-[^']+')/g, (given, hash: string) => (here.has(hash) ? given : ''))
    return before + kept + after
  })
}
