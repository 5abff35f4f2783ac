import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateParameters } from '../../local/stripe/generate-parameters.ts'

test('the committed schema is what the installed stripe package says', async () => {
  const file = join(import.meta.dirname, '../../local/stripe/parameters.schema.json')
  const committed = await readFile(file, 'utf8')
  expect(committed === generateParameters(), 'run node local/stripe/generate-parameters.ts').toBe(true)
})
