import { scriptHash } from '#page-scripts/script-hash.ts'

const policy = /(<meta http-equiv="content-security-policy" content=")([^"]*)(")/
const inlined = /<(script|style)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/\1>/g

/** Narrows a page's Content Security Policy: keeps only the hashes of the page's own inline scripts and styles. */
export function narrowPolicy(html: string): string {
  const hashes = new Set([...html.matchAll(inlined)].map(([, , content = '']) => `'${scriptHash(content)}'`))
  return html.replace(policy, (_, before: string, content: string, after: string) => {
    const kept = content.replace(/ ('sha256-[^']+')/g, (whole, hash: string) =>
      hashes.has(hash) ? whole : '',
    )
    return before + kept + after
  })
}
