import { LoadFailure } from '#platform/browser/loading.ts'

/** The time limit for one file: more than a slow phone needs. */
const timeoutMs = 30_000

/** Files that have loaded or are loading, by URL. */
const files = new Map<string, Promise<void>>()

/**
 * Fetches a file once. After a failure, the next request fetches it again. Code is fetched here before it is imported,
 * because Chromium before 156 and WebKit remember a failed import of a module, or of one of its imports, until the
 * document is closed. The response stays in the browser's cache, so that `import` finds it there.
 * @throws LoadFailure
 */
function fetchFile(url: string): Promise<void> {
  const cached = files.get(url)
  if (cached) return cached
  const file = get(url).catch((cause: unknown) => {
    files.delete(url)
    throw cause instanceof LoadFailure ? cause : new LoadFailure('unreachable', url, { cause })
  })
  files.set(url, file)
  return file
}

async function get(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  const isGone = response.status === 404 || response.status === 410
  if (!response.ok) throw new LoadFailure(isGone ? 'outdated' : 'unreachable', `${response.status} ${url}`)
  await response.arrayBuffer()
  if (url.endsWith('.css')) await applyStyleSheet(url)
}

function applyStyleSheet(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = url
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(url))
    }
    document.head.append(link)
  })
}

/** The first file of each import that failed although its files had arrived. */
const broken = new Set<string | undefined>()

/**
 * Fetches the files of a module, then imports it.
 * @param urls the module, all its direct and indirect imports, and their style sheets
 * @throws LoadFailure; the next attempt fetches everything again
 */
export async function load<Module>(
  urls: readonly string[],
  importModule: () => Promise<Module>,
): Promise<Module> {
  await Promise.all(urls.map(fetchFile))
  try {
    return await importModule()
  } catch (cause) {
    for (const url of urls) files.delete(url)
    // A second failure is no accident: the browser has remembered the first one, or the code itself throws an error.
    const reason = broken.has(urls[0]) ? 'broken' : 'unreachable'
    broken.add(urls[0])
    throw new LoadFailure(reason, String(cause), { cause })
  }
}
