import { glob, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Loader, LoaderContext } from 'astro/loaders'
import { parseFrontmatter } from 'astro/markdown'
import type { z } from 'astro/zod'
import { fillPlaceholders, placeholders } from '#marketing/domain/placeholders.ts'
import { site } from '#site'
import { databaseRows } from './database.ts'
import { ContentError, problemsOf, report, type Problem } from './problems.ts'
import { existsSync, readdirSync } from 'node:fs'

type Data = Record<string, unknown>
type Entry = { id: string; file: string; data: Data; body: string }

const url = process.env.PUBLIC_SITE_URL ?? ''
let facts = placeholders({ ...site, url })
const fileName = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Replaces the placeholders in all text of a value, at any depth. An unknown placeholder is a problem. */
function filled(value: unknown, field: string, problems: Problem[]): unknown {
  if (typeof value === 'string') {
    const { text, unknown } = fillPlaceholders(value, facts)
    for (const name of unknown)
      problems.push({ field, reason: `${name} stands for nothing. docs/content.md lists what there is.` })
    return text
  }
  if (Array.isArray(value))
    return value.map((each, at) => filled(each, `${field}, entry ${at + 1}`, problems))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        filled(each, field ? `${field}, ${key}` : key, problems),
      ]),
    )
  return value
}

/** Returns the problem of a text, or undefined if it has none. */
type TextProblem = (text: string) => string | undefined

/** Returns why the file's front matter cannot be read, in words for its editor. */
function frontMatterProblem(text: string, error: unknown): string {
  const lines = text.split('\n')
  const end = lines.indexOf('---', 1)
  const colon = lines.findIndex((line, at) => at < end && /^[\w-]+: +[^'"\s[{|>].*:(\s|$)/.test(line))
  const [, name, value] = /^([\w-]+): +(.*)$/.exec(lines[colon] ?? '') ?? []
  if (name && value)
    return `has a colon in line ${colon + 1}. Put the value in quotation marks: ${name}: '${value.replaceAll("'", "''")}'`
  const line = (error as { mark?: { line?: number } }).mark?.line
  const where = line === undefined ? '' : ` near line ${line + 2}`
  return `cannot be read${where}. Is a quotation mark missing, or is a line indented too far?`
}

/** Reads an entry, or returns the problems of its file. */
export async function readEntry(
  file: string,
  schema: z.ZodType<Data>,
  textProblem: TextProblem = () => undefined,
  idProblem: TextProblem = () => undefined,
): Promise<Entry | readonly Problem[]> {
  if (extname(file) !== '.md')
    return [
      {
        field: 'file name',
        reason: 'must end with .md, in small letters. Otherwise nobody would see this text.',
      },
    ]
  const id = basename(file, '.md')
  const problems: Problem[] = []
  if (!fileName.test(id))
    problems.push({
      field: 'file name',
      reason: 'may hold small letters, digits and single hyphens, because it becomes the address.',
    })
  const hidden = idProblem(id)
  if (hidden) problems.push({ field: 'file name', reason: hidden })
  const text = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  if (!/^---\n[^]*?^---[ \t]*$/m.test(text)) {
    const reason = text.startsWith('---')
      ? 'has no second line of dashes. Put --- on a line of its own below the fields.'
      : 'is missing. The file begins with a line of three dashes, its fields, and another line of three dashes.'
    return [...problems, { field: 'front matter', reason }]
  }
  let parsed: { frontmatter: Data; content: string }
  try {
    parsed = parseFrontmatter(text)
  } catch (error) {
    return [...problems, { field: 'front matter', reason: frontMatterProblem(text, error) }]
  }
  const data = filled(parsed.frontmatter, '', problems)
  const body = String(filled(parsed.content.trim(), 'text', problems))
  const reason = body === '' ? 'is missing. It stands below the second line of dashes.' : textProblem(body)
  if (reason) problems.push({ field: 'text', reason })
  const result = schema.safeParse(data, { reportInput: true })
  if (!result.success) problems.push(...problemsOf(result.error.issues))
  return result.success && problems.length === 0 ? { id, file, data: result.data, body } : problems
}

/**
 * Loads `content/<folder>/*.md`. The name of a file is the id of its entry. Every build reads all files again,
 * because an entry also depends on the plan catalogue.
 * @throws Error with every file, field and reason, so that one build shows all problems of the folder
 */
export function markdown(
  folder: string,
  schema: z.ZodType<Data>,
  textProblem?: TextProblem,
  idProblem?: TextProblem,
): Loader {
  const base = join('content', folder)

  async function load(context: LoaderContext): Promise<void> {
    const [settings] = context.watcher ? [] : (await databaseRows()).site_settings
    facts = placeholders({ ...site, url, email: settings?.contact_email ?? site.email })
    const entries: Entry[] = []
    const problems = new Map<string, readonly Problem[]>()
    for await (const file of glob(join(base, '*'))) {
      const entry = await readEntry(file, schema, textProblem, idProblem)
      if ('id' in entry) entries.push(entry)
      else problems.set(file, entry)
    }
    if (problems.size > 0) throw new ContentError(report(problems))
    const rendered = await Promise.all(entries.map(({ body }) => context.renderMarkdown(body)))
    context.store.clear()
    entries.forEach((entry, index) => {
      const html = rendered[index]
      context.store.set({
        id: entry.id,
        data: entry.data,
        body: entry.body,
        filePath: entry.file,
        digest: context.generateDigest({ ...entry.data, body: entry.body }),
        rendered: html,
      })
    })
  }

  return {
    name: `content/${folder}`,
    load: async (context) => {
      await load(context)
      context.watcher?.add(base)
      context.watcher?.on('all', (_, path) => {
        if (!path.includes(base)) return
        load(context).catch((error: unknown) => context.logger.error(String(error)))
      })
    },
  }
}

/**
 * Returns why a text that becomes a page of its own would never be shown: another page has its address.
 * @param others the other folders of content/ whose texts become such pages
 */
export const hiddenPage =
  (...others: readonly string[]) =>
  (id: string): string | undefined => {
    const isPage = readdirSync('src/pages').some((file) => file.split('.')[0] === id)
    const other = others.find((folder) => existsSync(`content/${folder}/${id}.md`))
    if (!isPage && !other) return undefined
    const taken = other ? `content/${other}/${id}.md has it, too` : 'a page of the site has it already'
    return `would make the address /${id}, but ${taken}. Choose another name.`
  }
