import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { parseFrontmatter } from 'astro/markdown'
import { describe, expect, test } from 'vitest'
import { turnsOf } from '#calls/domain/transcript.ts'
import { readMp3 } from '../support/mp3.ts'

/** The recordings of the content, with their transcripts. */
const entries = globSync('content/{voices,demos,industries}/*.md')
  .sort()
  .map((file) => {
    const { frontmatter, content } = parseFrontmatter(readFileSync(file, 'utf8'))
    const { recording = frontmatter, call } = frontmatter as { recording?: object; call?: string[] }
    const text = call?.map((line) => `- ${line}`).join('\n') ?? content
    return { file, ...recording, turns: turnsOf(text) } as {
      file: string
      audio: string
      seconds: number
      summary?: string
      turns: ReturnType<typeof turnsOf>
    }
  })
  .filter(({ audio }) => audio)

test('there are three voices and eight calls, and no other recording is published', () => {
  expect(entries).toHaveLength(11)
  expect(globSync('*', { cwd: 'dist/audio' }).sort()).toEqual(
    entries.map(({ audio }) => audio.replace('/audio/', '')).sort(),
  )
})

test.each(globSync('*.md', { cwd: 'content/industries' }))('the page of %s plays a call', (file) => {
  const html = readFileSync(`dist/industries/${file.replace('.md', '')}/index.html`, 'utf8')
  const played = [...html.matchAll(/ href="([^"]+)" aria-label="Play /g)].map(([, audio]) => audio)
  expect(played).toHaveLength(1)
  expect(entries.map(({ audio }) => audio)).toContain(played[0])
  expect(html).toContain('AI agent')
})

describe.each(entries.map((entry) => [entry.file, entry] as const))('%s', (_, entry) => {
  const sound = readFileSync(join('dist', entry.audio))

  test('is a mono mp3 file of at most 60 kB', () => {
    expect(sound.length).toBeLessThanOrEqual(60_000)
    expect(readMp3(sound).isMono).toBe(true)
  })

  test('lasts as long as it says', () => {
    expect(Math.abs(readMp3(sound).seconds - entry.seconds)).toBeLessThan(0.6)
  })

  test('has a transcript at a speaking pace, which the quoted words are from', () => {
    const words = entry.turns.map((turn) => turn.words).join(' ')
    expect(words).toContain(entry.summary ?? '')
    const aMinute = (words.split(/\s+/).length / entry.seconds) * 60
    expect(aMinute).toBeGreaterThan(100)
    expect(aMinute).toBeLessThan(220)
  })
})

test('a player weighs at most 900 bytes', () => {
  const html = readFileSync('dist/index.html', 'utf8')
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, code = '']) => code)
  const [, modules = ''] = /data-modules="([^"]+)"/.exec(html) ?? []
  const files = modules.split(' ').map((url) => readFileSync(join('dist', url), 'utf8'))
  const player = [...inline, ...files].filter((code) => code.includes('data-recording'))
  expect(player).toHaveLength(1)
  expect(brotliCompressSync(player[0] ?? '').length).toBeLessThanOrEqual(900)
})
