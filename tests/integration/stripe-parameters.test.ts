import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashFile, parametersHash } from '../../local/stripe/parameters-hash.ts'

// Generating the schema takes seconds, so the hash of what it is generated from is compared in its place.
test('the committed schema is what the installed stripe package says', async () => {
  expect(await parametersHash(), 'run node local/stripe/generate-parameters.ts').toBe(
    await readFile(hashFile, 'utf8'),
  )
})
