import { globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { builtPages, dist } from '../support/built-pages.ts'
import { htmlTree } from '../support/html-tree.ts'

// Follows every reference in the build, as a browser, a search engine and the host do: the target must exist.

/** The paths of all files of the build. */
const files = new Set(
  globSync(`${dist}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length)),
)
const read = (file: string): string => readFileSync(join(dist, file), 'utf8')

const pages = builtPages().map((page) => {
  const elements = htmlTree(page.html).querySelectorAll('*')
  return {
    ...page,
    elements,
    ids: new Set(elements.flatMap(({ id }) => (id === null ? [] : [id]))),
    isPublic: page.isListed && !page.isIsland,
  }
})
const home = pages.find(({ path }) => path === '/')
const origin = new URL(/rel="canonical" href="([^"]+)"/.exec(home?.html ?? '')?.[1] ?? 'missing:').origin

interface Redirect {
  from: string
  to: string
  status?: number
}
const { redirects = [] } = parse(readFileSync('netlify.toml', 'utf8')) as { redirects?: Redirect[] }
/** Rewrites, which serve one page for many URLs. A redirect (another status) does not count as the target of a link. */
const rewrites = redirects.filter(({ status }) => status === 200)
const matches = ({ from }: Redirect, path: string): boolean =>
  new RegExp(`^${from.replace(/\/\*$/, '(/.*)?').replace(/:\w+/g, '[^/]+')}$`).test(path)

/** Returns the file that is served for a path, or undefined if there is none. */
function fileOf(path: string): string | undefined {
  const plain = decodeURI(path).replace(/(.)\/$/, '$1')
  const file = [plain, `${plain}.html`, join(plain, 'index.html')].find((each) => files.has(each))
  const rewrite = file ? undefined : rewrites.find((each) => matches(each, plain))
  return file ?? (rewrite && files.has(rewrite.to) ? rewrite.to : undefined)
}

/** Returns the problem of a URL on a page, or undefined if it has none. */
function problemOf(url: string, page: (typeof pages)[number]): string | undefined {
  if (/^(data|blob):/.test(url)) return undefined
  if (/^(mailto|tel):/.test(url)) return /^(mailto:\S+@\S+|tel:\+?\d+)$/.test(url) ? undefined : url
  const base = new URL(page.path, origin)
  const { origin: of, pathname, hash } = new URL(url, base)
  if (of !== origin) return of.startsWith('https://') ? undefined : `${url} is not encrypted`
  const file = pathname === base.pathname ? page.file.slice(dist.length) : fileOf(pathname)
  if (!file) return `${url} is not there`
  const target = pages.find((each) => each.file === join(dist, file))
  const id = decodeURIComponent(hash.slice(1))
  return id && !target?.ids.has(id) ? `${url}: no such place on that page` : undefined
}

/** Returns the URLs in an attribute. In an attribute of any name, a value that looks like a URL counts. */
function urlsIn(name: string, value: string): string[] {
  if (/srcset$/i.test(name)) return value.split(',').map((part) => part.trim().split(/\s/)[0] ?? '')
  if (/^(href|src|poster|action|xlink:href)$/.test(name)) return [value]
  return /^(\/[\w.-]|https?:\/\/)/.test(value) && !/\s/.test(value) ? [value] : []
}

const unescape = (value: string): string => value.replaceAll('&amp;', '&')
/** Returns all strings in structured data, except `@id`, which is an identifier and no link. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, each]) => (key === '@id' ? [] : stringsIn(each)))
      : []
const isOurs = (value: string): boolean => value.startsWith(`${origin}/`) || /^\/[\w.-]/.test(value)

/** Returns all URLs of a page: in attributes, in styles and in structured data. */
function urlsOf(page: (typeof pages)[number]): string[] {
  const attributes = page.elements.flatMap((element) =>
    element.attributes.flatMap(({ key, value }) =>
      typeof value === 'string' ? urlsIn(key, unescape(value)) : [],
    ),
  )
  const styles = [...page.html.matchAll(/url\(["']?([^"')]+)/g)].map(([, url = '']) => url)
  const data = [...page.html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)]
    .flatMap(([, json = '']) => stringsIn(JSON.parse(json)))
    .filter(isOurs)
  return [...new Set([...attributes, ...styles, ...data])]
}

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_, page) => {
  test('names only pages, places and files that are there', () => {
    const urls = urlsOf(page)
    expect(urls.length).toBeGreaterThan(2)
    expect(urls.map((url) => problemOf(url, page)).filter(Boolean)).toEqual([])
  })
})

test('redirects end where something is', () => {
  expect(redirects.filter(({ to }) => !/^https:/.test(to) && !fileOf(to.replace('/:splat', '')))).toEqual([])
})

test('what robots.txt, the site map and the manifest name is there', () => {
  const texts = [...files].filter((file) => /\.(txt|xml|webmanifest)$/.test(file)).map(read)
  const named = texts.flatMap((text) => text.match(/https?:\/\/[^\s<"]+|(?<=")\/[\w./-]+(?=")/g) ?? [])
  expect(named.filter((url) => isOurs(url) && !fileOf(new URL(url, origin).pathname))).toEqual([])
})

test('every public page can be reached by links from the home page', () => {
  const reached = new Set(['/'])
  for (const path of reached) {
    const page = pages.find((each) => each.path === path)
    for (const { tagName, attributes } of page?.elements ?? []) {
      const href = attributes.find(({ key }) => key === 'href')?.value
      if (tagName !== 'a' || typeof href !== 'string') continue
      const { origin: of, pathname } = new URL(href, new URL(path, origin))
      if (of === origin) reached.add(pathname.replace(/(.)\/$/, '$1'))
    }
  }
  const listed = pages.filter(({ isPublic }) => isPublic).map(({ path }) => path)
  expect(listed.length).toBeGreaterThan(10)
  expect(listed.filter((path) => !reached.has(path))).toEqual([])
})

test('no file is deployed that nothing refers to', () => {
  const exceptions = [
    /^\/(robots\.txt|favicon\.ico|\.well-known\/security\.txt)$/, // fetched by their well-known names
    /^\/talk\.json$/, // read by the function talk
    /^\/pagefind\//, // named in Pagefind's compressed index
  ]
  const reached = new Set(
    [...files].filter((file) => extname(file) === '.html' || exceptions.some((e) => e.test(file))),
  )
  const isHashed = (file: string): boolean => file.startsWith('/_astro/')
  for (const file of reached) {
    if (!/\.(html|js|css|xml|txt|svg|json|webmanifest)$/.test(file)) continue
    const text = read(file)
    for (const other of files) {
      if (!reached.has(other) && text.includes(isHashed(other) ? basename(other) : other)) reached.add(other)
    }
  }
  expect([...files].filter((file) => !reached.has(file))).toEqual([])
})
