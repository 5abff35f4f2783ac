import { globSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { parseFrontmatter } from 'astro/markdown'
import { expect, test } from 'vitest'
import { bestAnswer, indexOf, rank, type Answer } from '#assistant/domain/dialogue/ranking.ts'
import { greet, reply, type Knowledge } from '#assistant/domain/dialogue/dialogue.ts'
import { ownPersona } from '#assistant/domain/role.ts'
import { site } from '#site'
import { answered, said, unanswerable } from '../support/questions.ts'

/** The index of the built agent's answers. */
const index = indexOf(JSON.parse(readFileSync('dist/assistant.json', 'utf8')) as Answer[])

const titleOf = (entry: string): string => {
  const { question, name } = parseFrontmatter(readFileSync(`content/${entry}.md`, 'utf8')).frontmatter
  return String(question ?? name)
}

test('of 122 questions, at least 110 find their answer first, and most of these are sure enough to be said', () => {
  expect(answered).toHaveLength(122)
  const missed = answered.filter(([question, ...entries]) => {
    const [first] = rank(question, index)
    return !first || !entries.map(titleOf).includes(first.answer.title)
  })
  expect(missed.length, missed.map(([question]) => question).join('\n')).toBeLessThanOrEqual(12)
  const said = answered.filter(([question, ...entries]) => {
    const answer = bestAnswer(question, index)
    return answer && entries.map(titleOf).includes(answer.title)
  })
  expect(said.length).toBeGreaterThanOrEqual(105)
})

test('a question that is the title of an answer, word by word, gets this answer', () => {
  const answers = JSON.parse(readFileSync('dist/assistant.json', 'utf8')) as Answer[]
  const wrong = answers.filter(({ title }) => bestAnswer(title.toLowerCase(), index)?.title !== title)
  expect(wrong.map(({ title }) => title)).toEqual([])
  expect(bestAnswer('Where can I sign in?', index)?.title).toBe('How do I log in?')
})

test.each(unanswerable)('“%s” is not answered', (question) => {
  expect(bestAnswer(question, index)).toBeUndefined()
})

const knowledge: Knowledge = {
  persona: ownPersona(site.name),
  index,
  // A Saturday.
  today: '2026-11-21',
  newId: () => 'id',
  advise: (minutes) => ({ say: `${minutes} minutes.`, title: '', url: '' }),
}

test.each(said)('“%s” is answered', (words, mustSay) => {
  const { say } = words
    .split(' | ')
    .reduce((turn, each) => reply(turn.topic, each, knowledge), greet(knowledge))
  expect(say).toMatch(mustSay)
})

test('twenty questions are unanswerable', () => expect(new Set(unanswerable).size).toBe(20))

test('the agent weighs at most 20 kB with its styles and all that it imports and the page has not', () => {
  const files = new Set<string>()
  const follow = (file: string): void => {
    // Only a visitor who has agreed to a request loads the code that passes it on, and only a customer who tries the own
    // agent loads its persona and what answers from its prompt. Each page has loaded what is shared, with Vite's loader.
    if (files.has(file) || /^(?:create-lead|prompt-answers|personas|shared)\./.test(file)) return
    files.add(file)
    const code = readFileSync(`dist/_astro/${file}`, 'utf8')
    for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*\(?\s*["`']\.\/([^"`']+\.js)["`']/g))
      follow(imported)
  }
  const [entry = ''] = globSync('dist/_astro/register.*.js')
  follow(entry.replace('dist/_astro/', ''))
  const bytes = [...files].map((file) => brotliCompressSync(readFileSync(`dist/_astro/${file}`)).length)
  // The code that is fetched with the first conversation is included.
  expect([...files].filter((file) => file.startsWith('agent.'))).toHaveLength(1)
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(20_000)
})
