import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

const file = 'src/platform/domain/identity.ts'

/** The colours that mails and pictures use, by their names in theme.css. */
const colours = {
  paper: 'paper',
  panel: 'panel',
  line: 'line',
  edge: 'edge',
  ink: 'ink',
  dim: 'ink-2',
  signal: 'signal',
}

function found(pattern: RegExp, text: string, where: string): string {
  const [, value] = pattern.exec(text) ?? []
  if (value === undefined) throw new Error(`${where} has nothing like ${pattern}`)
  return value
}

const coloursOf = (scheme: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(colours).map(([name, token]) => [
      name,
      found(new RegExp(`--color-${token}: (#[0-9a-f]+);`), scheme, 'src/styles/theme.css'),
    ]),
  )

/** Returns the contents of src/platform/domain/identity.ts, by the present colours and mark. */
export async function identity(): Promise<string> {
  const tokens = readFileSync('src/styles/theme.css', 'utf8')
  const svg = readFileSync('src/components/mark.svg', 'utf8')
  const [light = '', dark = ''] = tokens.split('(prefers-color-scheme: dark)')
  const mark = {
    viewBox: found(/viewBox="([^"]+)"/, svg, 'src/components/mark.svg'),
    shapes: svg.replace(/^\s*<svg[^>]*>|<\/svg>\s*$/g, ''),
  }
  const text = `/** What mails and pictures take from src/styles/theme.css and src/components/mark.svg, written by \`npm run rebrand\`. */
export const light = ${JSON.stringify(coloursOf(light))}
export const dark = ${JSON.stringify(coloursOf(dark))}
/** Its shapes have the classes \`fs\` (the signal's colour) and \`fi\` (the ink's). */
export const mark = ${JSON.stringify(mark)}
`
  return format(text, { ...(await resolveConfig(file)), parser: 'typescript', plugins: [] })
}

/** Updates src/platform/domain/identity.ts. */
export const writeIdentity = async (): Promise<void> => writeFileSync(file, await identity())

if (import.meta.main) await writeIdentity()
