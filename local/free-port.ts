import net from 'node:net'

/** How many ports after the wanted one are looked at. */
const tries = 20

/**
 * The wanted port, or the next one that nobody listens on.
 * @throws Error if there is none
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
