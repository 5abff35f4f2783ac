import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const subjects = ['booking', 'invoice', 'language', 'transfer', 'opening hour', 'deposit', 'parking', 'voice']
const verbs = ['change', 'confirm', 'cancel', 'find', 'move', 'ask for', 'repeat', 'check']

/** Adds generated entries to a project's content. The same counts give the same entries. */
export function writeContent(project: string, count: { industries: number; faqs: number }): void {
  const template = readFileSync(join(project, 'content/industries/clinics-wellness.md'), 'utf8')
  for (let number = 1; number <= count.industries; number += 1) {
    const text = template
      .replace(/^name: .*$/m, `name: Trade ${number}`)
      .replace(/^order: .*$/m, `order: ${100 + number}`)
    writeFileSync(join(project, `content/industries/trade-${number}.md`), text)
  }
  for (let number = 1; number <= count.faqs; number += 1) {
    const subject = subjects[number % subjects.length]
    const verb = verbs[Math.floor(number / subjects.length) % verbs.length]
    const text = `---
question: Can a caller ${verb} ${subject} number ${number}?
order: ${100 + number}
---

Yes. The agent asks for the ${subject}, reads it back and writes it down. Your team sees it in the portal, with the
transcript of call ${number}, before the next one rings.
`
    writeFileSync(join(project, `content/faq/question-${number}.md`), text)
  }
}
