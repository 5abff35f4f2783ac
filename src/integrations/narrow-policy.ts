import { scriptHash } from '#page-scripts/script-hash.ts'

const policy = /(<meta http-equiv="content-security-policy" content=")([^"]*)(")/
const inlined = /<(script|style)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/\1>/g

/** Narrows a page's content policy: it admits the scripts and styles that are in the page, not those of the whole site. */
export function narrowPolicy(html: string): string {
  const here = new Set([...html.matchAll(inlined)].map(([, , content = '']) => `'${scriptHash(content)}'`))
  return html.replace(policy, (_, before: string, content: string, after: string) => {
    const kept = content.replace(/ ('sha256-[^']+')/g, (given, hash: string) => (here.has(hash) ? given : ''))
    return before + kept + after
  })
}
