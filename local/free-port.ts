import net from 'node:net'

/** The number of ports to try. */
const tries = 20

/**
 * Returns the given port, or the next one that is free.
 * @throws Error if none of the ports is free
 */
export async function freePort({ port, host }: { port: number; host: string }): Promise<number> {
  for (let candidate = port; candidate < port + tries; candidate++)
    if (await isFree(candidate, host)) return candidate
  throw new Error(`Ports ${port} to ${port + tries - 1} are in use. Set PORT to another one.`)
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
