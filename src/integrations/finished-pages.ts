import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { narrowPolicy } from './narrow-policy.ts'
import { scriptsAfterPaint } from './scripts-after-paint.ts'

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
