import { createReadStream, statSync } from 'node:fs'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { close, createIndex, type PagefindIndex } from 'pagefind'
import { site } from '#site'

const folder = 'pagefind'
/** What Pagefind draws and highlights with itself, and its code for languages we do not write. */
const unused = /^pagefind-(ui|modular-ui|component-ui|highlight)\.|^wasm\.unknown\./
/** Not what a page is about. Questions are records of their own, and the calculator is found on the pricing page. */
const repeated = ['svg', 'nav', '.btn', '.faq', '[aria-hidden]', '[data-leads-to=pricing]']
const question =
  /<details name="faq">\s*<summary>(.*?)<\/summary>\s*<div id="([^"]+)">(.*?)<\/div>\s*<\/details>/gs

/**
 * Site-wide search: when the site is built, its public pages are read into an index at /pagefind. A page takes part
 * with `data-pagefind-body` on what is to be found, unless it is `noindex`; each question of the FAQ is found by itself.
 * The dev server answers from the last build.
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
  const { index, errors } = await createIndex({ excludeSelectors: repeated })
  if (!index) throw new Error(`The search index could not be made: ${errors.join(', ')}`)
  for await (const file of glob('**/index.html', { cwd: root })) {
    const html = await readFile(join(root, file), 'utf8')
    if (html.includes('<meta name="robots" content="noindex">')) continue
    const url = `/${dirname(file).replaceAll('\\', '/')}`.replace('/.', '/')
    for (const record of recordsOf(html, url)) {
      const added = await index.addHTMLFile(record)
      if (added.errors.length > 0) throw new Error(`${record.url}: ${added.errors.join(', ')}`)
    }
  }
  return index
}

/** A page by the name it has in the window's title, and its questions by their own. */
function recordsOf(html: string, url: string): { url: string; content: string }[] {
  const title = /<title>(.*?)<\/title>/.exec(html)?.[1]?.replace(` | ${site.name}`, '') ?? ''
  const named = (name: string) => `<title data-pagefind-meta="title">${name}</title>`
  const page = {
    url,
    content: html
      .replace(/<title>.*?<\/title>/, () => named(title))
      .replace(/<\/(?:dt|dd|td|th|span)>/g, '$& '),
  }
  if (url !== '/faq') return [page]
  const questions = [...html.matchAll(question)].map(([, name = '', id, answer]) => ({
    url: `${url}#${id}`,
    content: `<html lang="en"><head>${named(name)}</head><body data-pagefind-body data-pagefind-meta="page:${title}">${answer}</body></html>`,
  }))
  return [page, ...questions]
}

async function write(index: PagefindIndex, output: string): Promise<void> {
  const { files, errors } = await index.getFiles()
  if (errors.length > 0) throw new Error(`The search index could not be written: ${errors.join(', ')}`)
  for (const { path, content } of files) {
    if (unused.test(path)) continue
    await mkdir(dirname(join(output, path)), { recursive: true })
    await writeFile(join(output, path), path === 'pagefind.js' ? thatFails(content) : content)
  }
}

/**
 * Patches Pagefind so that a search fails if a part of the index could not be fetched, and can be tried again
 * (clients/site-search.ts). Pagefind itself treats that part as empty from then on.
 * @throws Error if Pagefind is another version, in which this is written otherwise
 */
function thatFails(code: Uint8Array): string {
  const text = new TextDecoder().decode(code)
  const swallowed = /catch\(e\)\{console\.error\(`Failed to load the index chunk [^`]*`\);\}/g
  if (text.match(swallowed)?.length !== 1) throw new Error('Pagefind loads its index in another way now')
  return text.replace(swallowed, 'catch(e){throw e}')
}
