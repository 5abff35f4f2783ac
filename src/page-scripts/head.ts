/**
 * The script in the head of every page. It stands in the document itself, because what reports a missing file must not be
 * missing too.
 */
import { startLoading } from './loading/start.ts'
import { showSession } from './session.ts'

const script = document.currentScript as HTMLScriptElement
showSession(script.dataset.admin)
startLoading(script)
