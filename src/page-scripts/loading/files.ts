import { LoadFailure } from '#platform/browser/loading.ts'

/** How long one file may take, in milliseconds: more than a slow phone needs, and not for ever. */
const patience = 30_000

/** Files that are here or on their way, by address. */
const files = new Map<string, Promise<void>>()

/**
 * Fetches a file, once; after a failure the next call fetches it again. Code is fetched by this before it is
 * imported, because Chromium before 156 and WebKit remember for as long as a document lives that a module, or a module
 * that it imports, could not be loaded. What `fetch` brings is kept in the browser's cache, where `import` finds it.
 * @throws LoadFailure
 */
function fetchFile(address: string): Promise<void> {
  const known = files.get(address)
  if (known) return known
  const file = get(address).catch((cause: unknown) => {
    files.delete(address)
    throw cause instanceof LoadFailure ? cause : new LoadFailure('unreachable', address, { cause })
  })
  files.set(address, file)
  return file
}

async function get(address: string): Promise<void> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(patience) })
  const isGone = answer.status === 404 || answer.status === 410
  if (!answer.ok) throw new LoadFailure(isGone ? 'outdated' : 'unreachable', `${answer.status} ${address}`)
  await answer.arrayBuffer()
  if (address.endsWith('.css')) await applyStyleSheet(address)
}

function applyStyleSheet(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(address))
    }
    document.head.append(link)
  })
}

/** Imports that failed although their files had arrived, by the first file. */
const broken = new Set<string | undefined>()

/**
 * Fetches files and then imports the module that they make up.
 * @param addresses the module and all that it imports, at any depth, and their style sheets
 * @throws LoadFailure; after it, the next call tries everything again
 */
export async function load<Module>(
  addresses: readonly string[],
  importModule: () => Promise<Module>,
): Promise<Module> {
  await Promise.all(addresses.map(fetchFile))
  try {
    return await importModule()
  } catch (cause) {
    for (const address of addresses) files.delete(address)
    // The second time it is no accident: this browser has remembered a failure, or the code itself has one.
    const reason = broken.has(addresses[0]) ? 'broken' : 'unreachable'
    broken.add(addresses[0])
    throw new LoadFailure(reason, String(cause), { cause })
  }
}
