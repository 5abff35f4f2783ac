/**
 * The script in the head of every page that loads all other code. It stands in the document itself, because what tells
 * of a file that is missing must not be missing too.
 */
import type { CodeLoader } from '#platform/browser/loading.ts'
import { load } from './files.ts'
import { showNotice } from './notice.ts'
import { loadPageScripts } from './page-scripts.ts'
import { tellFailure } from './tell.ts'

const loader: CodeLoader = { load, tellFailure, showNotice }
window.codeLoader = loader
if (document.currentScript instanceof HTMLScriptElement) void loadPageScripts(document.currentScript)
