/** Adds the styles of code that is loaded on use. The content security policy allows a style sheet that a script makes. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
