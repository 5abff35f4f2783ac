import { createHash } from 'node:crypto'
import { copyFile, glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { cardOf, type Card } from '../open-graph/card.ts'

const cache = join('node_modules', '.cache', 'deskbell', 'og')
/** What the pictures are made of besides their pages. */
const sources = [
  'src/open-graph/*.ts',
  'src/{platform/domain/drawing,features/marketing/domain/open-graph}.ts',
  'src/styles/{tokens,drawing,industry}.css',
  'src/site.ts',
  'package-lock.json',
]
/** Pages at a time: a picture is a few megabytes while it is drawn. */
const batch = 8

/** Draws the Open Graph image that each built page names, or takes it from an earlier build. */
export const openGraphImages = (): AstroIntegration => ({
  name: 'deskbell-open-graph-images',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const dist = fileURLToPath(dir)
      const pages = await Array.fromAsync(glob('**/*.html', { cwd: dist }))
      const made = await fingerprint()
      await mkdir(cache, { recursive: true })
      for (let first = 0; first < pages.length; first += batch) {
        await Promise.all(pages.slice(first, first + batch).map((page) => provide(dist, page, made)))
      }
    },
  },
})

async function provide(dist: string, page: string, made: string): Promise<void> {
  const card = cardOf(await readFile(join(dist, page), 'utf8'))
  if (!card) return
  const file = join(dist, card.file)
  const name = createHash('sha256').update(made).update(JSON.stringify(card)).digest('hex')
  const kept = join(cache, `${name}.png`)
  await mkdir(dirname(file), { recursive: true })
  await copyFile(kept, file).catch(async () => {
    await keep(card, kept)
    await copyFile(kept, file)
  })
}

/** The drawing is loaded on use: a build that finds all its pictures does without. */
async function keep(card: Card, file: string): Promise<void> {
  const { draw } = await import('../open-graph/draw.ts')
  // A build that is stopped here leaves no half picture under the name.
  await writeFile(`${file}.part`, await draw(card))
  await rename(`${file}.part`, file)
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const files = await Array.fromAsync(glob(sources))
  for (const file of files.sort()) hash.update(await readFile(file))
  return hash.digest('hex')
}
