import { createHash } from 'node:crypto'

/**
 * The lines that read the stored session and write `data-session` ("customer" or "admin") on the root, before the first
 * paint, so that the navigation is right at once. They run again when another tab signs in or out, and when the page comes
 * back from the back-forward cache; listening to other tabs opens the storage of another process, so it waits for a task of
 * its own. They decide what is displayed and nothing else.
 */
export function sessionScript(authKey: string, adminEmail: string): string {
  const literal = (value: string): string => JSON.stringify(value).replaceAll('<', '\\u003c')
  return (
    `!function(d,f){f=function(){var s,e;try{s=JSON.parse(localStorage.getItem(${literal(authKey)}));` +
    `e=s.refresh_token&&s.user.email.toLowerCase()}catch(_){}` +
    `if(e)d.session=e===${literal(adminEmail.toLowerCase())}?"admin":"customer";else delete d.session};` +
    `f();setTimeout(()=>addEventListener("storage",f));addEventListener("pageshow",f)}(document.documentElement.dataset)`
  )
}

/** The hash under which the content policy admits an inline script. */
export const scriptHash = (script: string): `sha256-${string}` =>
  `sha256-${createHash('sha256').update(script).digest('base64')}`
