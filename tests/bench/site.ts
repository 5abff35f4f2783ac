import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Site {
  origin: string
  stop(): Promise<void>
}

/**
 * `npm start` in a copy of the project: builds it, and serves it with all services.
 * @throws Error with its output when it does not come up
 */
export async function startSite(
  project: string,
  port: number,
  data = join(project, '.local'),
): Promise<Site> {
  const child = spawn(process.execPath, ['local/start.ts'], {
    cwd: project,
    env: { ...process.env, PORT: String(port), DESKBELL_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stopWithUs = (): boolean => child.kill()
  process.once('exit', stopWithUs)
  let output = ''
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.includes('is ready at')) ready()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => failed(new Error(`The site did not start:\n${output}`)))
  })
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      process.off('exit', stopWithUs)
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
