import { site } from '#site'
import { logIn, menu } from '#marketing/domain/menu.ts'
import { countLabel, type Hit } from '#marketing/domain/site-search.ts'
import { maxQueryLength, type SearchAnswer } from '#marketing/browser/site-search.ts'
import { adoptStyles } from '#platform/browser/styles.ts'
import { button } from '#platform/domain/variants.ts'
import skeletons from '../styles/skeletons.css?inline'
import styles from '../styles/search.css?inline'

type State = SearchAnswer | { kind: 'loading' }

/** A result: a lamp, and lines at its right. */
const item =
  'grid lamp min-h-12 grid-cols-[10px_minmax(0,1fr)] items-center gap-x-6.5 px-5 py-3 no-underline -outline-offset-3 [--lamp-edge:var(--color-edge)] *:col-start-2 before:[grid-row:1/4] hover:bg-well hover:lamp-lit focus:bg-well focus:lamp-lit'
const itemOf = ({ name, href }: { name: string; href: string }, only = ''): string =>
  `<li class="not-first:border-t ${only}"><a class="${item}" href="${href}"><b>${name}</b></a></li>`
const items = menu.map((page) => itemOf(page)).join('') + itemOf(logIn, 'signed-out')
const label = 'text-label text-ink-2 uppercase'
const keyOf = (name: string): string =>
  `<kbd class="rounded-strip border border-edge px-1.5 py-px text-[length:var(--text-label)]/[1.34] font-semibold [font-family:var(--font-text)]">${name}</kbd>`
/** A sheet on narrow screens, a panel on wide ones. */
const sheet = [
  'flex-col bg-panel text-ink backdrop:bg-veil open:flex',
  'max-md:inset-0 max-md:h-dvh max-md:max-h-none max-md:w-full max-md:max-w-none',
  'md:mx-auto md:mt-[10vh] md:mb-auto md:max-h-[min(42rem,80vh)] md:w-[min(100%-2rem,44rem)] md:rounded-float md:border md:border-edge md:[box-shadow:var(--shadow-float)]',
].join(' ')

/** The dialog's markup: constants only. Queries and results are inserted as text (`show`). */
const markup = `
<dialog class="${sheet} p-0" aria-label="Search">
<form class="flex flex-none items-center border-b has-[input:focus-visible]:[box-shadow:inset_0_-3px_var(--color-signal-text)]" role="search">
  <svg class="pointer-events-none absolute left-5 size-5 stroke-current stroke-[1.75]" viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="6"/><path d="m13 13 5 5"/></svg>
  <input class="h-16 min-w-0 flex-1 bg-transparent pr-3 pl-14 text-[1.1875rem] -outline-offset-3 placeholder:text-ink-2 placeholder:opacity-100 focus-visible:outline-[#0000]"
    inputmode="search" enterkeyhint="go" autocomplete="off" autocapitalize="none" spellcheck="false"
    maxlength="${maxQueryLength}" placeholder="What are you looking for?" aria-label="Search ${site.name}">
  <button class="mx-2.5 grid size-11 place-items-center" type="button" aria-label="Close" data-close>
    <svg class="size-4 stroke-current stroke-[1.75]" viewBox="0 0 16 16" aria-hidden="true"><path d="m2 2 12 12M14 2 2 14"/></svg>
  </button>
</form>
<div class="min-h-0 flex-auto overflow-y-auto overscroll-contain" data-places>
  <p class="px-5 pt-3 pb-1 text-sm/[1.5] text-ink-2 empty:p-0" role="status"></p>
  <div data-at="idle"><h2 class="${label} px-5 py-3">Go to</h2><ul>${items}</ul></div>
  <div data-at="loading" class="grid gap-3 px-5 py-3"><div class="skel w-2/5"></div><div class="skel w-[72%]"></div><div class="skel w-2/5"></div></div>
  <ul data-at="found"></ul>
  <p class="px-5 py-3" data-at="none">Try fewer or other words, look through the <a href="/faq">FAQ</a>, or ask the agent itself.
    <button class="${button({ kind: 'other', size: 'small', class: 'mt-3' })}" type="button" data-voice-demo>Start AI Conversation</button></p>
  <p class="px-5 py-3" data-at="failed"><button class="${button({ kind: 'other', size: 'small' })}" type="button">Try again</button></p>
</div>
<footer class="flex flex-none flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t px-5 py-2 text-sm/[1.5] text-ink-2 [@media(hover:none)]:hidden">
  <p>${keyOf('↑')} ${keyOf('↓')} to move, ${keyOf('Enter')} to open, ${keyOf('Esc')} to close</p>
  <label class="inline-flex min-h-8 items-center gap-2"><input class="size-5 accent-ink" type="checkbox">Open with ${keyOf('/')}</label>
</footer>
<template><li class="not-first:border-t"><a class="${item}"><span class="${label}"></span><b></b><span class="line-clamp-3 text-sm/[1.5] text-ink-2" data-excerpt></span></a></li></template>
</dialog>`

/** Appends the closed dialog to the page. */
export function createView() {
  adoptStyles(skeletons + styles)
  const box = document.createElement('div')
  box.dataset.searchBox = ''
  box.innerHTML = markup
  document.body.append(box)

  const find = <Kind extends Element>(selector: string): Kind => box.querySelector<Kind>(selector)!
  const dialog = find<HTMLDialogElement>('dialog')
  const places = find('[data-places]')
  const status = find('[role=status]')
  const list = find('ul[data-at=found]')
  const template = find<HTMLTemplateElement>('template')

  const createResult = ({ title, page, href, excerpt }: Hit): Node => {
    const item = template.content.cloneNode(true) as DocumentFragment
    item.querySelector('a')!.href = href
    item.querySelector('b')!.textContent = title
    const label = item.querySelector('span')!
    if (page) label.textContent = page
    else label.remove()
    item.querySelector('[data-excerpt]')!.append(
      ...excerpt.map(({ text, isMatch }) => {
        if (!isMatch) return text
        const mark = document.createElement('mark')
        mark.className = 'bg-transparent font-semibold text-ink forced-colors:underline'
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
    close: find<HTMLButtonElement>('[data-close]'),
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
