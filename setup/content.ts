import { globSync, readFileSync } from 'node:fs'
import { runCommand, stopAt } from './command.ts'

/** Returns a line for each gap, `[[…]]`, that is left in a text of content/: only the operator can fill it in. */
export function contentGaps(folder = 'content'): string[] {
  return globSync(`${folder}/**/*.md`)
    .sort()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          [...line.matchAll(/\[\[(.*?)\]\]/g)].map(
            ([, what = '']) => `${file}, line ${index + 1}: fill in ${what}`,
          ),
        ),
    )
}

/** `node setup/content.ts`: stops a production deployment while its legal texts have gaps. Others have them. */
if (import.meta.main)
  await runCommand(({ CONTEXT }) => {
    const gaps = contentGaps()
    if (CONTEXT === 'production') stopAt(gaps)
    console.log(
      gaps.length === 0 ? 'The texts have no gaps.' : `The texts have ${gaps.length} gaps to fill in.`,
    )
  })
