const moduleScript = /<script type="module" src="([^"]+)"><\/script>/g
const island = /<astro-island [^>]*?component-url="([^"]+)"[^>]*?renderer-url="([^"]+)"/g

/**
 * Prepares a page so that the script in its head loads its scripts (src/page-scripts/loading): their URLs, and those of
 * their imports, go into `data-modules` of that script. What an island imports is fetched together with it.
 * @param importsOf returns the URLs of a script's direct and indirect imports
 */
export function scriptsAfterPaint(html: string, importsOf: (url: string) => readonly string[]): string {
  const modules = new Set<string>()
  for (const [, url = ''] of html.matchAll(moduleScript))
    for (const each of [url, ...importsOf(url)]) modules.add(each)
  return html
    .replace(moduleScript, '')
    .replace('data-modules=""', `data-modules="${[...modules].join(' ')}"`)
    .replace(island, (tag, component: string, renderer: string) => {
      const files = new Set([component, ...importsOf(component), renderer, ...importsOf(renderer)])
      return [...files].map((url) => `<link rel="modulepreload" href="${url}">`).join('') + tag
    })
}
