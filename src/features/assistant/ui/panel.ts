import type { Turn } from '#assistant/domain/dialogue/dialogue.ts'
import { dotWave } from '#platform/domain/drawing.ts'
import { badge, button, textButton } from '#platform/domain/variants.ts'
import { canListen, canSpeak } from '#assistant/browser/speech.ts'

/** A line of the conversation: its speaker and the text. */
export interface Line {
  who: 'agent' | 'caller'
  text: string
  source?: { title: string; url: string }
  /** What is said about the line in small print. */
  remark?: string
}

type Activity = 'ready' | 'speaking' | 'listening' | 'loading' | 'sending' | 'unreachable'

const activityNames: Record<Activity, string> = {
  ready: 'On the line',
  speaking: 'Speaking',
  listening: 'Listening',
  loading: 'Connecting',
  sending: 'Passing on',
  unreachable: 'Not connected',
}

/** The activities in which the agent takes no words. */
const isBusy = new Set<Activity>(['loading', 'sending', 'unreachable'])

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

function wave(): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const { viewBox, field, lit } = dotWave('greeting', { columns: 40, reach: 2 })
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', viewBox)
  svg.setAttribute('class', 'wave')
  svg.setAttribute('aria-hidden', 'true')
  for (const [className, d] of [
    ['dots off', field],
    ['dots', lit],
  ] as const) {
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('class', className)
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}

export interface Panel {
  dialog: HTMLDialogElement
  /** Focuses the text field, or the conversation on a touch screen, where the keyboard would cover the panel. */
  focusInput: () => void
  addLine: (line: Line) => void
  setChoices: (turn: Pick<Turn, 'choices'>) => void
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

/** Creates the panel. Its controls run the functions of `on`. */
export function createPanel(on: {
  send: (text: string) => void
  toggleMicrophone: () => void
  toggleSound: () => void
  restart: () => void
  toggleBar: () => void
  /** Runs when a link to a page of ours is followed. */
  follow: () => void
  close: () => void
}): Panel {
  const status = element('span', { className: badge({ tone: 'on' }), role: 'status' })
  const sound = element('button', {
    className: textButton(),
    type: 'button',
    hidden: !canSpeak(),
    onclick: on.toggleSound,
  })
  const toggle = element('button', { className: textButton(), type: 'button', onclick: on.toggleBar })
  const close = element('button', {
    className: textButton(),
    type: 'button',
    textContent: 'Hang up',
    onclick: on.close,
  })
  const list = element('ol')
  const log = element('div', { className: 'lines' }, list)
  log.setAttribute('role', 'log')
  log.setAttribute('aria-label', 'Conversation')
  log.tabIndex = 0
  const choices = element('div', { className: 'chips' })
  const input = element('input', {
    className: 'input',
    id: 'agent-words',
    autocomplete: 'off',
    maxLength: 500,
    enterKeyHint: 'send',
  })
  const microphone = element('button', {
    className: button({ kind: 'other' }),
    type: 'button',
    textContent: 'Speak',
    hidden: !canListen(),
    onclick: on.toggleMicrophone,
  })
  const send = element('button', { className: button(), type: 'submit', textContent: 'Send' })
  const note = element('p', { className: 'text-sm text-ink-2', role: 'status' })
  const restart = element('button', {
    className: textButton(),
    type: 'button',
    textContent: 'Start over',
    onclick: on.restart,
  })
  const form = element(
    'form',
    {},
    element('label', {
      className: 'text-label text-ink-2 uppercase',
      htmlFor: 'agent-words',
      textContent: 'Your words',
    }),
    input,
    element('div', { className: 'flex flex-wrap gap-3' }, send, microphone, restart),
    note,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (text === '') return input.focus()
    input.value = ''
    on.send(text)
  })
  const heading = element('h2', { className: 'text-h3', id: 'agent-name' })
  const dialog = element(
    'dialog',
    { className: 'agent' },
    element('div', { className: 'top' }, heading, toggle, close, status, wave(), sound),
    log,
    choices,
    form,
  )
  dialog.setAttribute('aria-labelledby', 'agent-name')
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') on.close()
  })

  const scrollToEnd = (): void => {
    log.scrollTop = log.scrollHeight
  }

  return {
    dialog,
    focusInput: () => {
      if (document.activeElement !== input) (matchMedia('(hover: none)').matches ? log : input).focus()
    },
    addLine({ who, text, source, remark }) {
      const words = element('div', {}, element('p', { textContent: text }))
      if (source?.url) {
        words.append(
          element(
            'p',
            { className: 'text-sm' },
            element('a', { href: source.url, textContent: source.title, onclick: on.follow }),
          ),
        )
      }
      if (remark) words.append(element('p', { className: 'text-sm text-ink-2', textContent: remark }))
      list.append(
        element(
          'li',
          { className: `by-${who}` },
          element('b', {
            className: 'text-label text-ink-2 uppercase',
            textContent: who === 'agent' ? 'Agent' : 'You',
          }),
          words,
        ),
      )
      scrollToEnd()
    },
    setChoices(turn) {
      choices.replaceChildren(
        ...turn.choices.map((text) =>
          element('button', {
            className: 'chip',
            type: 'button',
            textContent: text,
            onclick: () => on.send(text),
          }),
        ),
      )
      scrollToEnd()
    },
    setActivity(activity) {
      status.textContent = activityNames[activity]
      dialog.dataset.activity = activity
      microphone.textContent = activity === 'listening' ? 'Stop' : 'Speak'
      microphone.setAttribute('aria-pressed', String(activity === 'listening'))
      // The agent cannot answer now. Text that is typed in the meantime stays in the field.
      microphone.disabled = send.disabled = isBusy.has(activity)
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
