import type { AstroGlobal } from 'astro'

/** Sources of a content policy by directive; several in one string are separated by spaces. */
interface Sources {
  script?: string
  connect?: string
  frame?: string
}

/** Adds sources to the content policy of one page. */
export function admitSources(csp: AstroGlobal['csp'], { script, connect, frame }: Sources): void {
  if (script) csp?.insertScriptResource(script)
  if (connect) csp?.insertDirective(`connect-src ${connect}`)
  if (frame) csp?.insertDirective(`frame-src ${frame}`)
}
