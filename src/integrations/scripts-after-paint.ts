const moduleScript = /<script type="module" src="([^"]+)"><\/script>/g

/**
 * A page whose module scripts are fetched after the first paint (src/layouts/later-script.ts), each with all that it
 * imports, in one round. Pages with React are left as they are: they have nothing to show before it.
 * @param importsOf what a script imports, at any depth, by their addresses
 */
export function scriptsAfterPaint(html: string, importsOf: (address: string) => readonly string[]): string {
  if (html.includes('<astro-island')) return html
  const entries = [...html.matchAll(moduleScript)].map(([, address = '']) => address)
  const modules = [...new Set([...entries.flatMap(importsOf), ...entries])]
  return html.replace(moduleScript, '').replace('data-modules=""', `data-modules="${modules.join(' ')}"`)
}
