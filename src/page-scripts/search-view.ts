import { site } from '#site'
import { logIn, menu } from '#marketing/domain/menu.ts'
import { countLabel, type Hit } from '#marketing/domain/site-search.ts'
import { maxQueryLength, type SearchAnswer } from '#marketing/browser/site-search.ts'
import { adoptStyles } from '#platform/browser/styles.ts'
import { button } from '#platform/domain/variants.ts'
import skeletons from '../styles/skeletons.css?inline'
import styles from '../styles/search.css?inline'

type State = SearchAnswer | { kind: 'loading' }

const itemOf = ({ name, href }: { name: string; href: string }): string =>
  `<a href="${href}"><b>${name}</b></a></li>`
const items = menu.map((page) => `<li>${itemOf(page)}`).join('') + `<li class="signed-out">${itemOf(logIn)}`

/** The dialog's markup: constants only. Queries and results are inserted as text (`show`). */
const markup = `
<form role="search">
  <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="6"/><path d="m13 13 5 5"/></svg>
  <input inputmode="search" enterkeyhint="go" autocomplete="off" autocapitalize="none" spellcheck="false"
    maxlength="${maxQueryLength}" placeholder="What are you looking for?" aria-label="Search ${site.name}">
  <button class="x" type="button" aria-label="Close">
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m2 2 12 12M14 2 2 14"/></svg>
  </button>
</form>
<div class="places">
  <p class="says" role="status"></p>
  <div data-at="idle"><h2 class="text-label text-ink-2 uppercase">Go to</h2><ul>${items}</ul></div>
  <div data-at="loading" class="wait"><div class="skel s"></div><div class="skel m"></div><div class="skel s"></div></div>
  <ul data-at="found"></ul>
  <p data-at="none">Try fewer or other words, look through the <a href="/faq">FAQ</a>, or ask the agent itself.
    <button class="${button({ kind: 'other', size: 'small', class: 'mt-3' })}" type="button" data-voice-demo>Start AI Conversation</button></p>
  <p data-at="failed"><button class="${button({ kind: 'other', size: 'small' })}" type="button">Try again</button></p>
</div>
<footer>
  <p><kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close</p>
  <label><input type="checkbox">Open with <kbd>/</kbd></label>
</footer>
<template><li><a><span class="text-label text-ink-2 uppercase"></span><b></b><span class="excerpt"></span></a></li></template>`

/** Appends the closed dialog to the page. */
export function createView() {
  adoptStyles(skeletons + styles)
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search')
  dialog.innerHTML = markup
  document.body.append(dialog)

  const find = <Kind extends Element>(selector: string): Kind => dialog.querySelector<Kind>(selector)!
  const places = find('.places')
  const status = find('.says')
  const list = find('ul[data-at=found]')
  const template = find<HTMLTemplateElement>('template')

  const createResult = ({ title, page, href, excerpt }: Hit): Node => {
    const item = template.content.cloneNode(true) as DocumentFragment
    item.querySelector('a')!.href = href
    item.querySelector('b')!.textContent = title
    const label = item.querySelector('span')!
    if (page) label.textContent = page
    else label.remove()
    item.querySelector('.excerpt')!.append(
      ...excerpt.map(({ text, isMatch }) => {
        if (!isMatch) return text
        const mark = document.createElement('mark')
        mark.textContent = text
        return mark
      }),
    )
    return item
  }

  return {
    dialog,
    input: find<HTMLInputElement>('form input'),
    form: find<HTMLFormElement>('form'),
    close: find<HTMLButtonElement>('.x'),
    retry: find<HTMLButtonElement>('[data-at=failed] button'),
    slash: find<HTMLInputElement>('[type=checkbox]'),
    /** Returns the visible links in document order. */
    links: () =>
      [...dialog.querySelectorAll<HTMLAnchorElement>('[data-at] a')].filter((link) => link.checkVisibility()),
    firstResult: () => list.querySelector('a'),
    show(state: State): void {
      dialog.dataset.shows = state.kind
      for (const part of dialog.querySelectorAll<HTMLElement>('[data-at]'))
        part.hidden = part.dataset.at !== state.kind
      status.textContent = statusText(state)
      list.replaceChildren(...(state.kind === 'found' ? state.hits.map(createResult) : []))
      places.scrollTop = 0
    },
  }
}

function statusText(state: State): string {
  switch (state.kind) {
    case 'idle':
      return ''
    case 'loading':
      return 'Searching'
    case 'found':
      return countLabel(state.hits.length, state.isCut)
    case 'none':
      return `No results for “${state.query}”.`
    case 'failed':
      return state.isOffline
        ? 'You are offline. Search needs a connection.'
        : 'Search did not load. Try again in a moment.'
  }
}
