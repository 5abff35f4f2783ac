/**
 * The FAQ page: search as one types (specification, section 5: a case-insensitive match on question or answer), and
 * deep links. What was searched for stays in the address, so that it can be shared and survives a reload.
 */
for (const search of document.querySelectorAll<HTMLElement>('[data-faq-search]')) attach(search)

function attach(search: HTMLElement): void {
  const input = search.querySelector('input')!
  const status = search.querySelector('[role=status]')!
  const none = search.querySelector<HTMLElement>('.none')!
  const questions = [...document.querySelectorAll<HTMLDetailsElement>('.faq details')]
  /** Read once, at the first search: with thousands of questions this is what takes time. */
  let texts: readonly string[] | undefined

  const show = (typed: string): void => {
    texts ??= questions.map((question) => question.textContent.toLowerCase())
    const wanted = typed.trim().toLowerCase()
    let found = 0
    questions.forEach((question, index) => {
      const hidden = !texts![index]!.includes(wanted)
      if (question.hidden !== hidden) question.hidden = hidden
      if (!hidden) found += 1
    })
    none.hidden = found > 0
    status.textContent =
      wanted === ''
        ? `${questions.length} questions`
        : found === 0
          ? 'No question matches.'
          : `${found} of ${questions.length} questions`
  }

  const remember = (): void => {
    const address = new URL(location.href)
    const typed = input.value.trim()
    if (typed) address.searchParams.set('q', typed)
    else address.searchParams.delete('q')
    history.replaceState(null, '', address)
  }

  const all = (): void => {
    input.value = ''
    show('')
    remember()
  }

  /** Opens the question that the address names, in browsers that do not, and where the search has hidden it. */
  const openTarget = (): void => {
    const question = document.getElementById(location.hash.slice(1))?.closest('details')
    if (!question) return
    if (question.hidden) all()
    question.open = true
    question.scrollIntoView()
  }

  input.addEventListener('input', () => show(input.value))
  input.addEventListener('change', remember)
  search.querySelector('button')!.addEventListener('click', (event) => {
    event.preventDefault()
    all()
    input.focus()
  })
  addEventListener('hashchange', openTarget)
  // An opened question is an address to send to somebody.
  for (const question of questions) {
    question.querySelector('summary')!.addEventListener('click', () => {
      const id = question.lastElementChild!.id
      if (!question.open) history.replaceState(null, '', `${location.search}#${id}`)
    })
  }

  // What was typed before this script came stays.
  input.value ||= new URLSearchParams(location.search).get('q')?.slice(0, input.maxLength) ?? ''
  if (input.value) show(input.value)
  openTarget()
}
