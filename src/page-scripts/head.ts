/**
 * The script in the head of every page. It is inline, because the code that reports a missing file must not be missing
 * itself.
 */
import { watchLoading } from './loading/notice.ts'
import { loadPageScripts } from './loading/page-scripts.ts'
import { showSession } from './session.ts'

showSession()
watchLoading()
void loadPageScripts(document.currentScript as HTMLScriptElement)
