import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Source } from '#assistant/domain/site-prompt.ts'
import { modelOf, type Model } from '#assistant/server/model.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import { matchingAnswer } from '../../local/ai/matching.ts'
import { build } from '../../local/build.ts'
import { localEnvironment } from '../../local/environment.ts'
import { callerQuestions, judged, rowOf, visitorQuestions, type Judged, type Question } from './score.ts'
import { modelAt, serveModel } from './served.ts'

/**
 * `npm run talk:score`: asks 240 callers' and 80 visitors' questions of the model that the variables name, and of the one that matches
 * sentences, and prints what became of them.
 */
const { values } = parseArgs({ options: { answers: { type: 'boolean', default: false } } })
const built = 'dist/talk.json'
if (!existsSync(built)) await build('dist', localEnvironment({ port: 4321, given: {} }))
const sources = JSON.parse(readFileSync(built, 'utf8')) as Source[]
const lists = { callers: callerQuestions(), visitors: visitorQuestions(sources) }

async function ask(name: string, model: Model): Promise<object[]> {
  const rows: object[] = []
  for (const [list, questions] of Object.entries(lists)) {
    const answers: Judged[] = []
    for (const question of questions as Question[]) answers.push(await judged(question, model))
    rows.push({ model: name, ...rowOf(list, answers) })
    if (values.answers)
      for (const { question, text, verdict, invented } of answers)
        if (verdict !== 'right' || invented.length > 0)
          console.log(`${verdict} ${invented.join(' ')} | ${question.line} | ${question.required} | ${text}`)
  }
  return rows
}

const served = await serveModel(matchingAnswer)
const connected = modelOf(process.env as unknown as ServerEnv)
const rows = connected ? await ask(connected.name, connected) : []
rows.push(...(await ask('matching', modelAt(served.url, 'matching'))))
served.close()
console.table(rows)
if (!connected)
  console.log(
    'No model is connected: set PUBLIC_TALK, TALK_MODEL, TALK_PRICE_IN, TALK_PRICE_OUT and OPENAI_API_KEY.',
  )
