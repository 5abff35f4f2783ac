import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs the check as npm does on a Node of this version. */
const check = (version: string) =>
  spawnSync(process.execPath, ['setup/node-version.cjs'], {
    encoding: 'utf8',
    env: { npm_config_user_agent: `npm/10.8.2 node/v${version} linux x64 workspaces/false` },
  })

test.each(['20.0.0', '20.10.0', '20.18.3', '18.20.0', '9.0.0'])(
  'Node %s is refused in one sentence',
  (version) => {
    const { status, stderr, stdout } = check(version)
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr.trim()).toBe(
      `Deskbell needs Node 20.19.0 or later, and npm runs on ${version}: install a newer Node from https://nodejs.org, then run npm ci again.`,
    )
  },
)

test.each(['20.19.0', '20.20.2', '22.12.0', '24.21.0', '26.0.0'])('Node %s is accepted', (version) => {
  expect(check(version)).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
