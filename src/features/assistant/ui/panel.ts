import { talkLimits } from '#assistant/domain/talk-limits.ts'
import { canListen, canSpeak } from '#assistant/browser/speech.ts'
import { dotWave } from '#platform/domain/drawing.ts'
import { badge, button, textButton } from '#platform/domain/variants.ts'

/** A page that says so. */
export interface Source {
  title: string
  url: string
}

/** A line of the conversation. */
export interface Line {
  who: 'agent' | 'caller'
  text: string
  sources?: Source[]
  /** What is said about the line in small print. */
  remark?: string
}

/** An answer to choose in place of typing: a sentence to be said, a thing to do, or a page. */
export type Choice = string | { name: string; press: () => void } | Source

type Activity = 'ready' | 'speaking' | 'listening' | 'answering' | 'unreachable'

const activityNames: Record<Activity, string> = {
  ready: 'On the line',
  speaking: 'Speaking',
  listening: 'Listening',
  answering: 'Answering',
  unreachable: 'Not connected',
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

const control = (className: string, textContent: string, onclick: () => void): HTMLButtonElement =>
  element('button', { className, type: 'button', textContent, onclick })

function wave(): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const { viewBox, field, lit } = dotWave('greeting', { columns: 40, reach: 2 })
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', viewBox)
  svg.setAttribute(
    'class',
    'col-span-2 h-auto w-full max-w-48 justify-self-end [stroke-dasharray:0_8] [stroke-linecap:round] group-data-bar:hidden',
  )
  svg.setAttribute('aria-hidden', 'true')
  for (const [className, d] of [
    ['stroke-line [stroke-width:2.6]', field],
    ['stroke-ink [stroke-width:5.4] group-data-[activity=speaking]:stroke-signal', lit],
  ] as const) {
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('class', className)
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}

/** A line as it is shown; it grows while it is said. */
interface ShownLine {
  say: (words: string) => void
  show: (source: Source) => void
  remark: (text: string) => void
}

export interface Panel {
  /** What is put into the page: the dialog, and around it what its styles hold for. */
  root: HTMLElement
  dialog: HTMLDialogElement
  /** Focuses the text field, or the conversation on a touch screen, where the keyboard would cover the panel. */
  focusInput: () => void
  addLine: (line: Line) => ShownLine
  setChoices: (choices: readonly Choice[]) => void
  setActivity: (activity: Activity) => void
  /** Shows a sentence below the field; an empty one removes it. */
  setNote: (text: string) => void
  setSound: (isOn: boolean) => void
  /** Shows the panel as a bar of one line, or whole. */
  setBar: (isBar: boolean) => void
  /** Names the agent in the heading. */
  setName: (name: string) => void
  clear: () => void
}

/**
 * Creates the panel. Its controls run the functions of `on`. Nothing that is shown in it becomes markup.
 * @param about a sentence about the agent that is always shown, if there is one
 */
export function createPanel(
  about: string | undefined,
  on: {
    send: (text: string) => void
    toggleMicrophone: () => void
    toggleSound: () => void
    /** Ends the answer that is being said. */
    stop: () => void
    restart: () => void
    toggleBar: () => void
    /** Runs when a link to a page of ours is followed. */
    follow: () => void
    close: () => void
  },
): Panel {
  const status = element('span', {
    className: `${badge({ tone: 'on' })} justify-self-start group-data-bar:order-first group-data-bar:bg-transparent group-data-bar:p-0 group-data-bar:text-[0px] group-data-[activity=unreachable]:[--lamp:none]`,
    role: 'status',
  })
  const atRight = textButton({ class: 'justify-self-end whitespace-nowrap' })
  const sound = control(`${atRight} group-data-bar:hidden`, '', on.toggleSound)
  sound.hidden = !canSpeak()
  const toggle = control(atRight, '', on.toggleBar)
  const list = element('ol', { className: 'grid gap-4' })
  const log = element(
    'div',
    {
      className:
        'min-h-32 flex-1 overflow-y-auto overscroll-contain px-pad py-3 -outline-offset-4 group-data-bar:hidden',
      role: 'log',
      ariaLabel: 'Conversation',
      tabIndex: 0,
    },
    list,
  )
  const choices = element('div', {
    className: 'flex flex-wrap gap-2 px-pad pb-3 empty:hidden group-data-bar:hidden',
  })
  const input = element('input', {
    className: 'min-h-target w-full rounded-strip border border-edge bg-panel px-3.5 py-2.5',
    id: 'agent-words',
    autocomplete: 'off',
    maxLength: talkLimits.line,
    enterKeyHint: 'send',
  })
  const send = element('button', { className: button(), type: 'submit', textContent: 'Send' })
  const microphone = control(button({ kind: 'other' }), 'Speak', on.toggleMicrophone)
  const stop = control(button({ kind: 'other' }), 'Stop', on.stop)
  const note = element('p', { className: 'text-sm empty:hidden', role: 'status' })
  const form = element(
    'form',
    { className: 'grid gap-3 border-t px-pad pt-3 pb-4 group-data-bar:hidden' },
    element('label', {
      className: '-mb-1 text-label text-ink-2 uppercase',
      htmlFor: 'agent-words',
      textContent: 'Your words',
    }),
    input,
    element(
      'div',
      { className: 'flex flex-wrap gap-3' },
      send,
      microphone,
      stop,
      control(textButton(), 'Start over', on.restart),
    ),
    note,
    ...(about ? [element('p', { className: 'text-sm text-ink-2', textContent: about })] : []),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    // Text that is typed during an answer stays in the field.
    if (dialog.dataset.activity === 'answering') return
    const text = input.value.trim()
    if (text === '') return input.focus()
    input.value = ''
    on.send(text)
  })
  const heading = element('h2', {
    className:
      'col-span-2 text-h4 leading-[1.12] wrap-anywhere group-data-bar:mr-auto group-data-bar:truncate',
    id: 'agent-name',
  })
  const dialog = element(
    'dialog',
    {
      className:
        'group fixed inset-auto right-0 bottom-0 z-6 m-0 max-h-[min(42rem,100dvh)] w-[min(26rem,100vw)] flex-col border border-edge bg-paper p-0 text-ink open:flex md:right-8 md:bottom-8 data-bar:max-2xl:inset-x-0 data-bar:max-2xl:bottom-0 data-bar:max-2xl:w-auto data-bar:max-2xl:border-x-0 data-bar:max-2xl:border-b-0',
    },
    element(
      'div',
      {
        className:
          'grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 border-b px-pad pt-2 pb-3 group-data-bar:flex group-data-bar:border-0 group-data-bar:py-1',
      },
      heading,
      toggle,
      control(atRight, 'Hang up', on.close),
      status,
      wave(),
      sound,
    ),
    log,
    choices,
    form,
  )
  dialog.setAttribute('aria-labelledby', 'agent-name')
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') on.close()
  })
  const root = element('div', {}, dialog)
  root.dataset.agent = ''

  const scrollToEnd = (): void => {
    log.scrollTop = log.scrollHeight
  }
  const link = (className: string, { url, title }: Source): HTMLAnchorElement =>
    element('a', { className, href: url, textContent: title, onclick: on.follow })

  return {
    root,
    dialog,
    focusInput: () => {
      if (document.activeElement !== input) (matchMedia('(hover: none)').matches ? log : input).focus()
    },
    addLine({ who, text, sources = [], remark }) {
      const words = element('p', { className: `whitespace-pre-line${who === 'agent' ? '' : ' text-ink-2'}` })
      const said = element('div', { className: 'grid gap-2' }, words)
      const name = element('b', {
        className: 'text-label text-ink-2 uppercase',
        textContent: who === 'agent' ? 'Agent' : 'You',
      })
      list.append(
        element(
          'li',
          { className: 'grid grid-cols-[4rem_minmax(0,1fr)] items-baseline wrap-anywhere' },
          name,
          said,
        ),
      )
      const small = (className: string, child: Node | string): void => {
        said.append(element('p', { className }, child))
        scrollToEnd()
      }
      const line: ShownLine = {
        say(more) {
          words.append(more)
          scrollToEnd()
        },
        show: (source) => small('text-sm', link('', source)),
        remark: (text) => small('text-sm text-ink-2', text),
      }
      line.say(text)
      sources.forEach(line.show)
      if (remark) line.remark(remark)
      return line
    },
    setChoices(offered) {
      const chip =
        'min-h-10 inline-flex items-center rounded-strip border border-edge bg-panel px-3 py-1 no-underline hover:border-ink'
      choices.replaceChildren(
        ...offered.map((choice) =>
          typeof choice === 'string'
            ? control(chip, choice, () => on.send(choice))
            : 'url' in choice
              ? link(chip, choice)
              : control(chip, choice.name, choice.press),
        ),
      )
      scrollToEnd()
    },
    setActivity(activity) {
      status.textContent = activityNames[activity]
      dialog.dataset.activity = activity
      microphone.textContent = activity === 'listening' ? 'Stop' : 'Speak'
      microphone.setAttribute('aria-pressed', String(activity === 'listening'))
      const isAnswering = activity === 'answering'
      // What is said bit by bit is read out once it is whole.
      log.ariaBusy = String(isAnswering)
      send.disabled = isAnswering
      microphone.hidden = isAnswering || !canListen()
      stop.hidden = !isAnswering
      note.className = `text-sm empty:hidden ${activity === 'unreachable' ? 'flex lamp items-baseline gap-2 lamp-bar font-semibold text-bad-text' : 'text-ink-2'}`
    },
    setNote(text) {
      note.textContent = text
    },
    setSound(isOn) {
      sound.textContent = isOn ? 'Sound off' : 'Sound on'
    },
    setBar(isBar) {
      dialog.toggleAttribute('data-bar', isBar)
      toggle.textContent = isBar ? 'Open' : 'Minimise'
      toggle.setAttribute('aria-expanded', String(!isBar))
      scrollToEnd()
    },
    setName(name) {
      heading.textContent = name
    },
    clear() {
      list.replaceChildren()
      choices.replaceChildren()
    },
  }
}
