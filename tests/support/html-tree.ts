import { HtmlValidate, Parser, type HtmlElement } from 'html-validate'

const config = await new HtmlValidate({ root: true, elements: ['html5'] }).getConfigFor('page.html')

/** Parses a page into elements with `querySelectorAll`. */
export const htmlTree = (html: string): HtmlElement => new Parser(config).parseHtml(html)
