import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { contentExamples } from './content.ts'

const command = (CONTEXT: string) =>
  spawnSync(process.execPath, ['setup/content.ts'], { env: { ...process.env, CONTEXT }, encoding: 'utf8' })

describe('examples in the texts', () => {
  test('are named with their file and line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deskbell-content-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'legal'))
    writeFileSync(join(folder, 'legal/dpa.md'), 'Between you and\n[[the operator]], within [[48]] hours.\n')
    expect(contentExamples(folder)).toEqual([
      `${folder}/legal/dpa.md, line 2: replace the example “the operator”`,
      `${folder}/legal/dpa.md, line 2: replace the example “48”`,
    ])
  })

  test('stop a production deployment, and no other build', () => {
    const { status, stderr } = command('production')
    expect(contentExamples().length).toBeGreaterThan(0)
    expect([status, stderr]).toEqual([1, expect.stringContaining('content/legal/data-processing.md, line ')])
    expect(command('deploy-preview').status).toBe(0)
  })
})
