import { faqSearch } from '#marketing/domain/faq-search.ts'

/**
 * Adds to the FAQ page a search that filters while the visitor types, and deep links. The search matches question or
 * answer in any case (specification, section 5). The query is kept in the URL, so that a search can be shared and
 * survives a reload.
 */
for (const search of document.querySelectorAll<HTMLElement>('[data-faq-search]')) attach(search)

function attach(search: HTMLElement): void {
  const input = search.querySelector('input')!
  const status = search.querySelector('[role=status]')!
  const noMatch = search.querySelector<HTMLElement>('[data-no-match]')!
  const questions = [...document.querySelectorAll<HTMLDetailsElement>('[data-question]')]
  /** Is made at the first search: with thousands of questions, reading their texts is the slow part. */
  let find: ReturnType<typeof faqSearch<HTMLDetailsElement>> | undefined

  const show = (query: string): void => {
    find ??= faqSearch(questions, ({ firstElementChild, lastElementChild }) => [
      firstElementChild!.textContent,
      lastElementChild!.textContent,
    ])
    const found = new Set(find(query))
    for (const question of questions)
      if (question.hidden === found.has(question)) question.hidden = !question.hidden
    noMatch.hidden = found.size > 0
    status.textContent =
      query.trim() === ''
        ? `${questions.length} questions`
        : found.size === 0
          ? 'No question matches.'
          : `${found.size} of ${questions.length} questions`
  }

  const writeUrl = (): void => {
    const url = new URL(location.href)
    const query = input.value.trim()
    if (query) url.searchParams.set('q', query)
    else url.searchParams.delete('q')
    history.replaceState(null, '', url)
  }

  const showAll = (): void => {
    input.value = ''
    show('')
    writeUrl()
  }

  /** Opens the question that the URL names. Some browsers do not open it, and none does if the search has hidden it. */
  const openTarget = (): void => {
    const question = document.getElementById(location.hash.slice(1))?.closest('details')
    if (!question) return
    if (question.hidden) showAll()
    question.open = true
    question.scrollIntoView()
  }

  input.addEventListener('input', () => show(input.value))
  input.addEventListener('change', writeUrl)
  search.querySelector('button')!.addEventListener('click', (event) => {
    event.preventDefault()
    showAll()
    input.focus()
  })
  addEventListener('hashchange', openTarget)
  // The URL of an opened question can be shared.
  for (const question of questions) {
    question.querySelector('summary')!.addEventListener('click', () => {
      const id = question.lastElementChild!.id
      if (!question.open) history.replaceState(null, '', `${location.search}#${id}`)
    })
  }

  // Text that was typed before this script ran is kept.
  input.value ||= new URLSearchParams(location.search).get('q')?.slice(0, input.maxLength) ?? ''
  if (input.value) show(input.value)
  openTarget()
}
