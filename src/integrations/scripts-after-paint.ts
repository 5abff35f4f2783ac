const moduleScript = /<script type="module" src="([^"]+)"><\/script>/g
const island = /<astro-island [^>]*?component-url="([^"]+)"[^>]*?renderer-url="([^"]+)"/g

/**
 * Prepares a page so that the script in its head loads its scripts and islands (src/page-scripts/loading). The URLs of
 * its module scripts go into `data-modules` of that script, each followed by the URLs of its imports. The URLs of an
 * island's files go into its `data-files`.
 * @param importsOf returns the URLs of a script's direct and indirect imports
 */
export function scriptsAfterPaint(html: string, importsOf: (url: string) => readonly string[]): string {
  const withImports = (url: string): string[] => [url, ...importsOf(url)]
  const modules = [...html.matchAll(moduleScript)].map(([, url = '']) => withImports(url).join(' '))
  return html
    .replace(moduleScript, '')
    .replace('data-modules=""', `data-modules="${modules.join(',')}"`)
    .replace(island, (tag, component: string, renderer: string) => {
      const files = new Set([...withImports(component), ...withImports(renderer)])
      return `${tag} data-files="${[...files].join(' ')}"`
    })
}
