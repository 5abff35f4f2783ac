import type { CodeLoader } from '#platform/browser/loading.ts'
import { showFailure } from './failure-message.ts'
import { load } from './files.ts'
import { showNotice } from './notice.ts'
import { loadPageScripts } from './page-scripts.ts'

/**
 * Offers `window.codeLoader` and loads the page's own scripts.
 * @param script the element on which the build has written their URLs
 */
export function startLoading(script: HTMLScriptElement): void {
  const loader: CodeLoader = { load, showFailure, showNotice }
  window.codeLoader = loader
  void loadPageScripts(script)
}
