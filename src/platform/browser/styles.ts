/** Adds the style sheet of a part of the page that is fetched when it is used. The content policy admits it as a script's. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
