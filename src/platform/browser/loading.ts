/**
 * A failure to load code. `unreachable`: a file did not arrive. `outdated`: a file no longer exists, because a new
 * version was deployed. `broken`: all files arrived, but the import fails. After the last two, only a reload helps.
 */
export class LoadFailure extends Error {
  readonly reason: 'unreachable' | 'outdated' | 'broken'

  constructor(reason: LoadFailure['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The interface of the script in the head of every page (src/page-scripts/loading). */
export interface CodeLoader {
  load: <Module>(urls: readonly string[], importModule: () => Promise<Module>) => Promise<Module>
  showFailure: (failure: LoadFailure, retry: () => void) => void
  /** Shows a title and a description, both optional, for five seconds where toasts appear. */
  showNotice: (texts: readonly (string | undefined)[]) => void
}

declare global {
  interface Window {
    codeLoader: CodeLoader
  }
}

/**
 * Imports code on use, as in `load(() => import('./file.ts'))`. The build passes to each `import()` the list of the
 * files it needs, and these are fetched first (integrations/code-loading.ts). If only a reload helps, a notice offers
 * it.
 * @throws LoadFailure; the next attempt starts again
 */
export async function load<Module>(importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule()
  } catch (failure) {
    if ((failure as LoadFailure).reason !== 'unreachable')
      window.codeLoader.showFailure(failure as LoadFailure, () => {})
    throw failure
  }
}

/** Imports code and runs `use` with it. If the import fails, shows a notice whose button repeats both. */
export async function onUse<Module>(
  importModule: () => Promise<Module>,
  use: (module: Module) => unknown,
): Promise<void> {
  let module: Module
  try {
    module = await importModule()
  } catch (failure) {
    return window.codeLoader.showFailure(failure as LoadFailure, () => void onUse(importModule, use))
  }
  await use(module)
}

let attempts = 0

/**
 * Imports a module that is not part of the build and has no imports itself, such as the search engine's.
 * @throws LoadFailure; the next attempt starts again
 */
export function loadUrl(url: string): Promise<unknown> {
  // A browser that remembers a failed import remembers it by its URL.
  attempts += 1
  return window.codeLoader.load([url], () => import(/* @vite-ignore */ `${url}#${attempts}`))
}
