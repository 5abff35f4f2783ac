import { globSync, readFileSync } from 'node:fs'
import { runCommand, stopAt } from './command.ts'

/** Returns a line for each example, marked as `[[…]]`, that is left in a text of content/: only the operator knows what is true. */
export function contentExamples(folder = 'content'): string[] {
  return globSync(`${folder}/**/*.md`)
    .sort()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          [...line.matchAll(/\[\[(.*?)\]\]/g)].map(
            ([, what = '']) => `${file}, line ${index + 1}: replace the example “${what}”`,
          ),
        ),
    )
}

/** `node setup/content.ts`: stops a production deployment while its texts have examples. Other builds show them. */
if (import.meta.main)
  await runCommand(({ CONTEXT }) => {
    const examples = contentExamples()
    if (CONTEXT === 'production') stopAt(examples)
    console.log(
      examples.length === 0
        ? 'The texts have no examples.'
        : `The texts have ${examples.length} examples to replace.`,
    )
  })
