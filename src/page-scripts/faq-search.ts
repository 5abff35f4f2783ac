import { faqSearch } from '#marketing/domain/faq-search.ts'

/**
 * The FAQ page: searches while the visitor types, and opens deep links. The search is kept in the address, so that it
 * can be shared and survives a reload.
 */
for (const search of document.querySelectorAll<HTMLElement>('[data-faq-search]')) attach(search)

function attach(search: HTMLElement): void {
  const input = search.querySelector('input')!
  const status = search.querySelector('[role=status]')!
  const none = search.querySelector<HTMLElement>('.none')!
  const questions = [...document.querySelectorAll<HTMLDetailsElement>('.faq details')]
  /** Made at the first search: with thousands of questions, reading their texts is what takes time. */
  let find: ReturnType<typeof faqSearch<HTMLDetailsElement>> | undefined

  const show = (typed: string): void => {
    find ??= faqSearch(questions, ({ textContent }) => textContent)
    const found = new Set(find(typed))
    for (const question of questions)
      if (question.hidden === found.has(question)) question.hidden = !question.hidden
    none.hidden = found.size > 0
    status.textContent =
      typed.trim() === ''
        ? `${questions.length} questions`
        : found.size === 0
          ? 'No question matches.'
          : `${found.size} of ${questions.length} questions`
  }

  const keepInAddress = (): void => {
    const address = new URL(location.href)
    const typed = input.value.trim()
    if (typed) address.searchParams.set('q', typed)
    else address.searchParams.delete('q')
    history.replaceState(null, '', address)
  }

  const clear = (): void => {
    input.value = ''
    show('')
    keepInAddress()
  }

  /** Opens the question that the address names, if the browser does not, or if the search has hidden it. */
  const openTarget = (): void => {
    const question = document.getElementById(location.hash.slice(1))?.closest('details')
    if (!question) return
    if (question.hidden) clear()
    question.open = true
    question.scrollIntoView()
  }

  input.addEventListener('input', () => show(input.value))
  input.addEventListener('change', keepInAddress)
  search.querySelector('button')!.addEventListener('click', (event) => {
    event.preventDefault()
    clear()
    input.focus()
  })
  addEventListener('hashchange', openTarget)
  // The address of an opened question can be shared.
  for (const question of questions) {
    question.querySelector('summary')!.addEventListener('click', () => {
      const id = question.lastElementChild!.id
      if (!question.open) history.replaceState(null, '', `${location.search}#${id}`)
    })
  }

  // The visitor may have typed something before this script was loaded.
  input.value ||= new URLSearchParams(location.search).get('q')?.slice(0, input.maxLength) ?? ''
  if (input.value) show(input.value)
  openTarget()
}
