import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Locks a data directory. Two processes that use the same directory would lose writes without an error, so the first
 * one listens on a socket that is named after the directory. The kernel closes the socket with the process, also after
 * kill -9: connecting to a lock that is held succeeds, and to one that was left behind fails. No process id is needed.
 * @returns a function that releases the lock
 * @throws Error if another process uses the directory
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  await mkdir(directory, { recursive: true })
  const name = createHash('sha256')
    .update(await realpath(directory))
    .digest('hex')
    .slice(0, 16)
  const socketPath =
    process.platform === 'win32' ? `\\\\.\\pipe\\deskbell-${name}` : join(tmpdir(), `deskbell-${name}.lock`)

  const server = await listen(socketPath).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    if (await isHeld(socketPath)) {
      throw new Error(
        `${directory} is in use by another Deskbell. Stop that one first, or set DESKBELL_DATA to another directory.`,
      )
    }
    rmSync(socketPath, { force: true })
    return listen(socketPath)
  })
  server.unref()
  return () => server.close()
}

const listen = (socketPath: string): Promise<net.Server> =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.end())
    server.once('error', reject)
    server.listen(socketPath, () => resolve(server))
  })

const isHeld = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(socketPath)
    socket.once('connect', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
