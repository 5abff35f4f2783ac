/**
 * The script in the head of every page. It is inline, because the code that reports a missing file must not be missing
 * itself.
 */
import { startLoading } from './loading/start.ts'
import { showSession } from './session.ts'

const script = document.currentScript as HTMLScriptElement
showSession()
startLoading(script)
