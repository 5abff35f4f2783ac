const moduleScript = /<script type="module" src="([^"]+)"><\/script>/g
const island = /<astro-island [^>]*?component-url="([^"]+)"[^>]*?renderer-url="([^"]+)"/g

/**
 * A page whose scripts and islands are loaded by the script in its head (src/layouts/loading): its module scripts stand
 * on `data-modules` there, each followed by all that it imports, and each island has its files on `data-files`.
 * @param importsOf what a script imports, at any depth, by their addresses
 */
export function scriptsAfterPaint(html: string, importsOf: (address: string) => readonly string[]): string {
  const withImports = (address: string): string[] => [address, ...importsOf(address)]
  const modules = [...html.matchAll(moduleScript)].map(([, address = '']) => withImports(address).join(' '))
  return html
    .replace(moduleScript, '')
    .replace('data-modules=""', `data-modules="${modules.join(',')}"`)
    .replace(island, (tag, component: string, renderer: string) => {
      const files = new Set([...withImports(component), ...withImports(renderer)])
      return `${tag} data-files="${[...files].join(' ')}"`
    })
}
