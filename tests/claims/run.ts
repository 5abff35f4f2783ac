import { writeFileSync } from 'node:fs'
import { buildIfStale } from '../../local/build.ts'
import { localEnvironment } from '../../local/environment.ts'
import { firstPort } from '../support/ports.ts'
import { readSentences } from './sentences.ts'
import { claimsFile, claimsFor, problemOf, readClaims, withClaims } from './table.ts'

/** `npm run claims`: brings the table of docs/claims.md to the sentences of the site, and says which lack a proof. */
await buildIfStale(localEnvironment({ port: firstPort, given: {} }), () => console.log('Building …'))
const claims = claimsFor(readSentences(), readClaims())
writeFileSync(claimsFile, withClaims(claims))
const lacking = claims.filter(problemOf)
for (const claim of lacking) console.log(`${claim.sentence}\n  ${problemOf(claim)}`)
console.log(`${claims.length} sentences, ${lacking.length} without a proof`)
