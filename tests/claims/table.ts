import { globSync, readFileSync } from 'node:fs'
import { filled, source } from './sentences.ts'

export const claimsFile = 'docs/claims.md'
export const unproven = 'unproven'

export interface Claim {
  /** The sentence as its source has it, with placeholders. */
  sentence: string
  proof: string
}

const begin = '| Sentence | Proof |\n| --- | --- |\n'
const escaped = (text: string): string => text.replaceAll('|', '\\|')
const row = /^\| (.+?) \| ([^|]+) \|$/gm

export const readClaims = (): Claim[] => {
  const table = readFileSync(claimsFile, 'utf8').split(begin)[1] ?? ''
  return [...table.matchAll(row)].map(([, sentence = '', proof = '']) => ({
    sentence: sentence.replaceAll('\\|', '|'),
    proof,
  }))
}

/** Returns the claims for these sentences in order: those that are known with their proofs, new ones as unproven. */
export function claimsFor(sentences: readonly string[], known: readonly Claim[]): Claim[] {
  const claims = new Map(known.map((claim) => [filled(claim.sentence), claim]))
  return sentences
    .map((text) => claims.get(text) ?? { sentence: source(text), proof: unproven })
    .sort((one, other) => (one.sentence < other.sentence ? -1 : 1))
}

/** Returns the text of docs/claims.md with these claims as its table. */
export const withClaims = (claims: readonly Claim[]): string => {
  const [text = ''] = readFileSync(claimsFile, 'utf8').split(begin)
  return text + begin + claims.map(({ sentence, proof }) => `| ${escaped(sentence)} | ${proof} |\n`).join('')
}

const titles = new Set(
  globSync(['{tests,src,setup,local}/**/*.{test,spec}.{ts,tsx}']).flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\b(?:test|it)(?:\.each\([^]*?\))?(?:<[^>]*>)?\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)")/g,
      ),
    ].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replaceAll("\\'", "'")),
  ),
)

/** What an opinion does not have: a figure, a name, a promise, and what an agent or we do, or is done. */
const claiming = [
  /\d/,
  /(?<!^|[.!?:“] |[“])(?<![’\w])[A-Z]/,
  /\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+ty|\w*teen|hundreds?|thousands?|millions?|half|twice|dozens?)\b/i,
  /\b(best|better|cheap|fast|safe|secure)(er|est|ly)?\b|\b(automatic\w*|available|certified|compliant|connected|encrypted|free|go|goes|included|insured|supported|unlimited|works?)\b/i,
  /\b(all|any|at once|every|no longer|only|within)\b/i,
  /\b(is|are|was|were|be|been|gets?) (\w+ )?\w+(ed|en|ent|ept|id|old|ught)\b/i,
  /\b(we|our|us|it|agents?|can|will|never|always|instantly|guaranteed?)\b/i,
  /\b(answer|ask|book|call|charge|check|confirm|connect|cost|explain|give|hand|hear|integrate|keep|know|learn|list|note|offer|pass(?:e)?|pick|place|put|read|record|remind|ring|save|say|send|speak|start|store|sync|take|talk|tell|transfer|translate|understand|walk|write)s\b/i,
]

/** Returns why a claim is not proven, or undefined if it is. */
export function problemOf({ sentence, proof }: Claim): string | undefined {
  if (proof === unproven) return 'has no proof'
  if (proof === 'specified') return undefined
  if (proof === 'opinion')
    return claiming.some((sign) => sign.test(sentence))
      ? 'has a figure, a name or an ability, so it is no opinion'
      : undefined
  const [, kind, of = ''] = /^(test|setting|duty): (.+)$/.exec(proof) ?? []
  if (kind === 'test' && titles.has(of)) return undefined
  if (kind === 'duty' && readFileSync(claimsFile, 'utf8').includes(`\n## ${of}\n`)) return undefined
  const [file = '', text] = of.split(' has ')
  if (kind === 'setting' && text && readFileSync(file, 'utf8').includes(text)) return undefined
  return `has a proof that does not exist: ${proof}`
}
