import { globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { builtPages, dist } from '../support/built-pages.ts'
import { htmlTree } from '../support/html-tree.ts'

/** Walks the build as a browser, a search engine and the host do: whatever a file names must be there. */
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
/** One page that serves many addresses. A redirect elsewhere does not mend a link. */
const rewrites = redirects.filter(({ status }) => status === 200)
const matches = ({ from }: Redirect, path: string): boolean =>
  new RegExp(`^${from.replace(/\/\*$/, '(/.*)?').replace(/:\w+/g, '[^/]+')}$`).test(path)

/** The file in which an address of ours ends; undefined where there is none. */
function fileOf(path: string): string | undefined {
  const plain = decodeURI(path).replace(/(.)\/$/, '$1')
  const file = [plain, `${plain}.html`, join(plain, 'index.html')].find((each) => files.has(each))
  const rewrite = file ? undefined : rewrites.find((each) => matches(each, plain))
  return file ?? (rewrite && files.has(rewrite.to) ? rewrite.to : undefined)
}

/** What is wrong with an address that is named on a page; undefined where it leads somewhere. */
function complaint(address: string, page: (typeof pages)[number]): string | undefined {
  if (/^(data|blob):/.test(address)) return undefined
  if (/^(mailto|tel):/.test(address))
    return /^(mailto:\S+@\S+|tel:\+?\d+)$/.test(address) ? undefined : address
  const base = new URL(page.path, origin)
  const { origin: of, pathname, hash } = new URL(address, base)
  if (of !== origin) return of.startsWith('https://') ? undefined : `${address} is not encrypted`
  const file = pathname === base.pathname ? page.file.slice(dist.length) : fileOf(pathname)
  if (!file) return `${address} is not there`
  const target = pages.find((each) => each.file === join(dist, file))
  const id = decodeURIComponent(hash.slice(1))
  return id && !target?.ids.has(id) ? `${address}: no such place on that page` : undefined
}

/** Addresses in an attribute: all that are ours by their form, whatever the attribute is called. */
function addressesIn(name: string, value: string): string[] {
  if (/srcset$/i.test(name)) return value.split(',').map((part) => part.trim().split(/\s/)[0] ?? '')
  if (/^(href|src|poster|action|xlink:href)$/.test(name)) return [value]
  return /^(\/[\w.-]|https?:\/\/)/.test(value) && !/\s/.test(value) ? [value] : []
}

const unescape = (value: string): string => value.replaceAll('&amp;', '&')
/** A thing's own name, `@id`, is an identifier and leads nowhere. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, each]) => (key === '@id' ? [] : stringsIn(each)))
      : []
const ours = (value: string): boolean => value.startsWith(`${origin}/`) || /^\/[\w.-]/.test(value)

/** Every address that a page names: in attributes, in its styles and in what it tells search engines. */
function addressesOf(page: (typeof pages)[number]): string[] {
  const attributes = page.elements.flatMap((element) =>
    element.attributes.flatMap(({ key, value }) =>
      typeof value === 'string' ? addressesIn(key, unescape(value)) : [],
    ),
  )
  const styles = [...page.html.matchAll(/url\(["']?([^"')]+)/g)].map(([, url = '']) => url)
  const data = [...page.html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)]
    .flatMap(([, json = '']) => stringsIn(JSON.parse(json)))
    .filter(ours)
  return [...new Set([...attributes, ...styles, ...data])]
}

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_, page) => {
  test('names only pages, places and files that are there', () => {
    const addresses = addressesOf(page)
    expect(addresses.length).toBeGreaterThan(2)
    expect(addresses.map((address) => complaint(address, page)).filter(Boolean)).toEqual([])
  })
})

test('redirects end where something is', () => {
  expect(redirects.filter(({ to }) => !/^https:/.test(to) && !fileOf(to.replace('/:splat', '')))).toEqual([])
})

test('what robots.txt, the site map and the manifest name is there', () => {
  const texts = [...files].filter((file) => /\.(txt|xml|webmanifest)$/.test(file)).map(read)
  const named = texts.flatMap((text) => text.match(/https?:\/\/[^\s<"]+|(?<=")\/[\w./-]+(?=")/g) ?? [])
  expect(named.filter((address) => ours(address) && !fileOf(new URL(address, origin).pathname))).toEqual([])
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
    /^\/(robots\.txt|favicon\.ico)$/, // asked for by their names
    /^\/pagefind\//, // its index names its parts, compressed
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
