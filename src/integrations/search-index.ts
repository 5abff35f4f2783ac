import { createReadStream, statSync } from 'node:fs'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { parseFrontmatter } from 'astro/markdown'
import { close, createIndex, type PagefindIndex } from 'pagefind'
import type { Source } from '#assistant/domain/site-prompt.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'

const folder = 'pagefind'
/** Pagefind's files that we do not use: its user interface, and its code for other languages. */
const unused = /^pagefind-(ui|modular-ui|component-ui|highlight)\.|^wasm\.unknown\./
/**
 * Parts that are not indexed. Each question is a record of its own; the calculator is indexed on the pricing page
 * only.
 */
const excluded = ['svg', 'nav', '.btn', '[data-question]', '[aria-hidden]', '[data-leads-to=pricing]']
const question =
  /<details[^>]* data-question>\s*<summary[^>]*>(.*?)<\/summary>\s*<div[^>]* id="([^"]+)"[^>]*>(.*?)<\/div>\s*<\/details>/gs

/**
 * Creates the index of the site's search at /pagefind after the build. The index contains the elements with
 * `data-pagefind-body` of each page that is not `noindex`. Each FAQ question is a record of its own. The dev server
 * serves the index of the last build.
 */
export function searchIndex(): AstroIntegration {
  let output = ''
  return {
    name: 'deskbell-search-index',
    hooks: {
      'astro:config:done': ({ config }) => {
        output = join(fileURLToPath(config.outDir), folder)
      },
      'astro:server:setup': ({ server }) => {
        server.middlewares.use(`/${folder}`, (request, response, next) => {
          const file = join(output, new URL(request.url ?? '', 'http://localhost').pathname)
          if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return next()
          const type = extname(file) === '.js' ? 'text/javascript' : 'application/octet-stream'
          createReadStream(file).pipe(response.setHeader('content-type', type))
        })
      },
      'astro:build:done': async ({ dir }) => {
        try {
          await write(await indexOf(fileURLToPath(dir)), output)
        } finally {
          await close()
        }
      },
    },
  }
}

async function indexOf(root: string): Promise<PagefindIndex> {
  const { index, errors } = await createIndex({ excludeSelectors: excluded })
  if (!index) throw new Error(`The search index could not be made: ${errors.join(', ')}`)
  const titles = new Map<string, string>()
  const add = async (record: SearchRecord): Promise<void> => {
    const { errors } = await index.addHTMLFile(record)
    if (errors.length > 0) throw new Error(`${record.url}: ${errors.join(', ')}`)
  }
  for await (const file of glob('**/index.html', { cwd: root })) {
    const html = await readFile(join(root, file), 'utf8')
    const url = `/${dirname(file).replaceAll('\\', '/')}`.replace('/.', '/')
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1]?.replace(` | ${escaped(site.name)}`, '') ?? ''
    titles.set(url, title)
    if (html.includes('<meta name="robots" content="noindex">')) continue
    for (const record of await recordsOf(html, url, title)) await add(record)
  }
  const answers = JSON.parse(await readFile(join(root, 'talk.json'), 'utf8')) as Source[]
  for (const [number, answer] of answers.entries()) {
    // The questions of the FAQ and the industries have records of their own.
    const page = titles.get(pathOf(answer))
    if (page && answer.id.startsWith('answers/')) await add(await recordOf(answer, number, page))
  }
  return index
}

interface SearchRecord {
  url: string
  content: string
}

const named = (name: string): string => `<title data-pagefind-meta="title">${name}</title>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const pathOf = ({ url }: Pick<Source, 'url'>): string => url.split('#')[0]!

/** Returns the other words in which visitors ask what an entry of `content/` answers, as the head of its record; an entry that only the database has has none. */
async function alsoOf(id: string): Promise<string> {
  const file = await readFile(`content/${id}.md`, 'utf8').catch(() => '')
  const { also = [] } = parseFrontmatter(file).frontmatter as { also?: string[] }
  return `<meta data-pagefind-meta="also[content]" content="${escaped(also.join(' ').replace(/\{\{plan\.(\w+)\.name\}\}/g, '$1')).replaceAll('"', '&quot;')}">`
}

/** Returns the record of an answer of the voice agent, which leads to the page with more about it. */
const recordOf = async (
  { id, url, title, text }: Source,
  number: number,
  page: string,
): Promise<SearchRecord> => ({
  url: `${pathOf({ url })}#${number}`,
  content: `<html lang="en"><head>${named(escaped(title))}${await alsoOf(id)}</head><body data-pagefind-body data-pagefind-meta="page:${page}"><p data-pagefind-meta="url:${url}">${escaped(text)}</p></body></html>`,
})

/** Returns the record of a page, named by its title, and on the FAQ page also a record for each question. */
async function recordsOf(html: string, url: string, title: string): Promise<SearchRecord[]> {
  const page = {
    url,
    content: html
      .replace(/<title>.*?<\/title>/, () => named(title))
      .replace(/<\/(?:dt|dd|td|th|span)>/g, '$& '),
  }
  if (url !== routes.faq) return [page]
  const questions = [...html.matchAll(question)].map(async ([, name = '', id, answer]) => ({
    url: `${url}#${id}`,
    content: `<html lang="en"><head>${named(name)}${await alsoOf(`faq/${id}`)}</head><body data-pagefind-body data-pagefind-meta="page:${title}">${answer}</body></html>`,
  }))
  return [page, ...(await Promise.all(questions))]
}

async function write(index: PagefindIndex, output: string): Promise<void> {
  const { files, errors } = await index.getFiles()
  if (errors.length > 0) throw new Error(`The search index could not be written: ${errors.join(', ')}`)
  for (const { path, content } of files) {
    if (unused.test(path)) continue
    await mkdir(dirname(join(output, path)), { recursive: true })
    await writeFile(join(output, path), path === 'pagefind.js' ? withFailures(content) : content)
  }
}

/**
 * Patches Pagefind so that a search fails if a part of the index cannot be fetched. The search can then be tried again
 * (marketing/browser/site-search.ts). Without the patch, Pagefind treats that part as empty from then on.
 * @throws Error if the code to patch is not found, because Pagefind has changed
 */
function withFailures(code: Uint8Array): string {
  const text = new TextDecoder().decode(code)
  const swallowed = /catch\(e\)\{console\.error\(`Failed to load the index chunk [^`]*`\);\}/g
  if (text.match(swallowed)?.length !== 1) throw new Error('Pagefind loads its index in another way now')
  return text.replace(swallowed, 'catch(e){throw e}')
}
