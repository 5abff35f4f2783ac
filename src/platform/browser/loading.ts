/**
 * Says why code could not be loaded. `unreachable`: a file did not arrive. `outdated`: a file is gone, because a new
 * version was deployed. `broken`: all files arrived and cannot be imported. Only `unreachable` can be tried again; the
 * others need a reload.
 */
export class LoadFailure extends Error {
  readonly reason: 'unreachable' | 'outdated' | 'broken'

  constructor(reason: LoadFailure['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The interface of the script in the head of every page (page-scripts/loading). */
export interface CodeLoader {
  load: <Module>(urls: readonly string[], importModule: () => Promise<Module>) => Promise<Module>
  tellFailure: (failure: LoadFailure, again: () => void) => void
  /** Shows a title, a description or both where toasts are shown, for five seconds. */
  showNotice: (texts: readonly (string | undefined)[]) => void
}

declare global {
  interface Window {
    codeLoader: CodeLoader
  }
}

/**
 * Imports code when it is used: `load(() => import('./file.ts'))`. The build gives each `import()` the list of the
 * files that it needs, which are fetched first (integrations/code-loading.ts). If a reload is needed, the page offers one.
 * @throws LoadFailure; loading again tries again
 */
export async function load<Module>(importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule()
  } catch (failure) {
    if ((failure as LoadFailure).reason !== 'unreachable')
      window.codeLoader.tellFailure(failure as LoadFailure, () => {})
    throw failure
  }
}

/** Imports code and uses it. If it cannot be loaded, the page says so, and "Try again" does both again. */
export async function onUse<Module>(
  importModule: () => Promise<Module>,
  use: (module: Module) => unknown,
): Promise<void> {
  let module: Module
  try {
    module = await importModule()
  } catch (failure) {
    return window.codeLoader.tellFailure(failure as LoadFailure, () => void onUse(importModule, use))
  }
  await use(module)
}

let attempts = 0

/**
 * Imports a module that is not part of the build and has no imports of its own, such as the search engine.
 * @throws LoadFailure; loading again tries again
 */
export function loadUrl(url: string): Promise<unknown> {
  // Some browsers remember a failed import by its URL.
  attempts += 1
  return window.codeLoader.load([url], () => import(/* @vite-ignore */ `${url}#${attempts}`))
}
