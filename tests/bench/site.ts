import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Site {
  origin: string
  stop(): Promise<void>
}

/**
 * Runs `npm start` in a copy of the project, which builds it and serves it with all services.
 * @throws Error with its output if it does not start
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
  const stopOnExit = (): boolean => child.kill()
  process.once('exit', stopOnExit)
  let output = ''
  await new Promise<void>((ready, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.includes('is ready at')) ready()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => failed(new Error(`The site did not start:\n${output}`)))
  })
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      process.off('exit', stopOnExit)
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
