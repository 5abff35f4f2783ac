/**
 * Why code could not be had: a file did not arrive; a file is gone, because a new version was deployed; or all files
 * arrived and still cannot be imported. In the last two cases only a reload helps.
 */
export class LoadFailure extends Error {
  readonly reason: 'unreachable' | 'outdated' | 'broken'

  constructor(reason: LoadFailure['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** What the script in the head of every page offers (layouts/loading). */
export interface CodeLoader {
  load: <Module>(addresses: readonly string[], importModule: () => Promise<Module>) => Promise<Module>
  tellFailure: (failure: LoadFailure, again: () => void) => void
  /** Shows a title and a description, either of them undefined or not, at the place of the toasts, for five seconds. */
  showNotice: (texts: readonly (string | undefined)[]) => void
}

declare global {
  interface Window {
    codeLoader: CodeLoader
  }
}

/**
 * Imports code when it is used, as `load(() => import('./file.ts'))`. The build gives each `import()` the list of the
 * files that it needs, which are fetched first (integrations/code-loading.ts). If only a reload helps, the page offers it.
 * @throws LoadFailure; the next call tries again
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

/** Imports code and uses it. If it cannot be had, the page says so, and "Try again" does both. */
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
 * Imports a module that is no part of the build, such as the search engine's. It imports nothing itself.
 * @throws LoadFailure; the next call tries again
 */
export function loadAddress(address: string): Promise<unknown> {
  // A browser that remembers a failure remembers it of the address.
  attempts += 1
  return window.codeLoader.load([address], () => import(/* @vite-ignore */ `${address}#${attempts}`))
}
