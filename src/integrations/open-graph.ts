import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import type { Card } from './open-graph-card.ts'

const cache = join('node_modules', '.cache', 'deskbell', 'og')
/** What the pictures are made of besides their pages. */
const sources = [
  'src/{integrations,platform/domain,features/marketing/domain}/{open-graph*,drawing}.ts',
  'src/styles/{theme,drawing,industry}.css',
  'src/site.ts',
  'package-lock.json',
]

/** Draws the Open Graph image that each built page names, or takes it from an earlier build. */
export const openGraphImages = (): AstroIntegration => ({
  name: 'deskbell-open-graph-images',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const dist = fileURLToPath(dir)
      const made = createHash('sha256')
      for (const file of (await Array.fromAsync(glob(sources))).sort()) made.update(await readFile(file))
      await mkdir(cache, { recursive: true })
      const pages = await Array.fromAsync(glob('**/*.html', { cwd: dist }))
      await Promise.all(
        pages.map(async (page) => {
          const card = cardOf(await readFile(join(dist, page), 'utf8'))
          if (!card) return
          const kept = join(cache, `${made.copy().update(JSON.stringify(card)).digest('hex')}.png`)
          if (!existsSync(kept)) {
            // Loaded on use: a build that finds all its pictures does without.
            const { draw } = await import('./open-graph-card.ts')
            // A build that is stopped here leaves no half picture under the name.
            await writeFile(`${kept}.part`, await draw(card))
            await rename(`${kept}.part`, kept)
          }
          await cp(kept, join(dist, card.file))
        }),
      )
    },
  },
})

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" }

/**
 * Reads the card that a built page asks for: its words are the page's `og:image:alt`, its ground and icon those of
 * the page's header.
 * @returns undefined for a page without an image
 */
export function cardOf(html: string): Card | undefined {
  const property = (name: string) => RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1]
  const [image, headline] = [property('og:image'), property('og:image:alt')]
  if (!image || !headline) return undefined
  const [, enamel] = /class="enamel bg-(\w+)"/.exec(html) ?? []
  const [, icon] = /viewBox="0 0 40 40"[^>]*>\s*<path d="([^"]+)"/.exec(html) ?? []
  return {
    file: new URL(image).pathname,
    headline: headline.replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole),
    panel: enamel && icon ? { enamel, icon } : undefined,
  }
}
