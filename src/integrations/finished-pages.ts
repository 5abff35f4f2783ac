import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { scriptHash } from '#page-scripts/script-hash.ts'

/**
 * Edits each page after the build: defers its scripts until after the first paint, and narrows its Content Security
 * Policy.
 */
export function finishedPages(): AstroIntegration {
  const imports = new Map<string, readonly string[]>()
  const importsOf = (url: string): string[] => {
    const found = new Set<string>()
    const follow = (file: string): void => {
      for (const imported of imports.get(file) ?? []) {
        if (found.has(imported)) continue
        found.add(imported)
        follow(imported)
      }
    }
    follow(url)
    return [...found]
  }
  return {
    name: 'deskbell-finished-pages',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({
          vite: {
            plugins: [
              {
                name: 'deskbell-imports',
                generateBundle(_options, bundle) {
                  for (const part of Object.values(bundle)) {
                    if (part.type !== 'chunk') continue
                    imports.set(
                      `/${part.fileName}`,
                      part.imports.map((file) => `/${file}`),
                    )
                  }
                },
              },
            ],
          },
        })
      },
      'astro:build:done': async ({ dir }) => {
        const root = fileURLToPath(dir)
        for await (const file of glob('**/*.html', { cwd: root })) {
          const path = join(root, file)
          const html = await readFile(path, 'utf8')
          await writeFile(path, narrowPolicy(scriptsAfterPaint(html, importsOf)))
        }
      },
    },
  }
}

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
