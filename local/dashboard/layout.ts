import { html } from 'hono/html'
import { site } from '#site'

export type Markup = ReturnType<typeof html>

/** Returns a page without scripts. */
export const layout = (heading: string, lead: string, main: Markup): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${heading}: ${site.name}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.ico" />
        <link rel="stylesheet" href="/local/page.css" />
      </head>
      <body>
        <header>
          <p><a href="/">${site.name}</a></p>
          <h1>${heading}</h1>
          <p class="dim">${lead}</p>
        </header>
        <main>${main}</main>
      </body>
    </html>`

export function table(
  caption: string,
  empty: string,
  head: readonly string[],
  rows: readonly Markup[],
): Markup {
  if (rows.length === 0)
    return html`<h2>${caption}</h2>
      <p class="dim">${empty}</p>`
  return html`<h2>${caption}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            ${head.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`
}

/** Returns a button that posts hidden fields. */
export const actionButton = (action: string, fields: Record<string, string>, label: string): Markup =>
  html`<form method="post" action="${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button>${label}</button>
  </form>`
