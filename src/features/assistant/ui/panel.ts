import type { Arrangement, Turn } from '#assistant/domain/dialogue.ts'
import { weekdayLabel, timeLabel } from '#assistant/domain/calendar.ts'
import { dotWave } from '#platform/domain/drawing.ts'
import { site } from '#site'
import { canListen, canSpeak } from '#assistant/browser/speech.ts'

/** What somebody said, and who. */
export interface Line {
  who: 'agent' | 'caller'
  text: string
  source?: { title: string; url: string }
  arranged?: Arrangement
}

export type Activity = 'ready' | 'speaking' | 'listening' | 'loading' | 'unreachable'

const activityNames: Record<Activity, string> = {
  ready: 'On the line',
  speaking: 'Speaking',
  listening: 'Listening',
  loading: 'Connecting',
  unreachable: 'Not connected',
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function wave(): SVGSVGElement {
  const names = 'http://www.w3.org/2000/svg'
  const { viewBox, field, ahead } = dotWave('greeting', { columns: 40, reach: 2 })
  const svg = document.createElementNS(names, 'svg')
  svg.setAttribute('viewBox', viewBox)
  svg.setAttribute('class', 'wave')
  svg.setAttribute('aria-hidden', 'true')
  for (const [className, d] of [
    ['dots off', field],
    ['dots', ahead],
  ] as const) {
    const path = document.createElementNS(names, 'path')
    path.setAttribute('class', className)
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}

/** The request as a mail, so that it reaches somebody: no calendar is connected on this site. */
function mailFor(arranged: Arrangement): string {
  const [subject, body] =
    arranged.kind === 'booking'
      ? [
          `Consultation: ${weekdayLabel(arranged.day)}, ${timeLabel(arranged.time)}`,
          `Name: ${arranged.name}\nDay: ${arranged.day}\nTime: ${arranged.time}`,
        ]
      : [
          `Call back: ${arranged.name}`,
          `Name: ${arranged.name}\nNumber: ${arranged.number}\nWhen: ${arranged.when}`,
        ]
  return `mailto:${site.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

export interface Panel {
  dialog: HTMLDialogElement
  /** The focus waits for the next words; not in the field where that would call up a keyboard over the panel. */
  rest: () => void
  add: (line: Line, options: { isOurs: boolean }) => void
  choices: (turn: Pick<Turn, 'choices'>) => void
  activity: (now: Activity) => void
  /** A sentence below the field; empty takes it away. */
  note: (text: string) => void
  sound: (isOn: boolean) => void
  clear: () => void
}

/** Builds the panel and hands what is done in it to `on`. */
export function createPanel(on: {
  said: (text: string) => void
  microphone: () => void
  sound: () => void
  again: () => void
  close: () => void
}): Panel {
  const status = element('span', { className: 'badge on', role: 'status' })
  const sound = element('button', {
    className: 'text',
    type: 'button',
    hidden: !canSpeak(),
    onclick: on.sound,
  })
  const close = element('button', {
    className: 'text',
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
    className: 'btn two',
    type: 'button',
    textContent: 'Speak',
    hidden: !canListen(),
    onclick: on.microphone,
  })
  const send = element('button', { className: 'btn', type: 'submit', textContent: 'Send' })
  const note = element('p', { className: 'sm dim', role: 'status' })
  const again = element('button', {
    className: 'text',
    type: 'button',
    textContent: 'Start over',
    onclick: on.again,
  })
  const form = element(
    'form',
    {},
    element('label', { className: 'label', htmlFor: 'agent-words', textContent: 'Your words' }),
    input,
    element('div', { className: 'btns' }, send, microphone, again),
    note,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (text === '') return input.focus()
    input.value = ''
    on.said(text)
  })
  const heading = element('h2', { className: 'pname', id: 'agent-name', textContent: `${site.name} agent` })
  const dialog = element(
    'dialog',
    { className: 'agent' },
    element('div', { className: 'top' }, heading, status, wave(), sound, close),
    log,
    choices,
    form,
  )
  dialog.setAttribute('aria-labelledby', 'agent-name')
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') on.close()
  })

  const showLast = (): void => {
    log.scrollTop = log.scrollHeight
  }

  return {
    dialog,
    rest: () => {
      if (document.activeElement !== input) (matchMedia('(hover: none)').matches ? log : input).focus()
    },
    add({ who, text, source, arranged }, { isOurs }) {
      const words = element('div', {}, element('p', { textContent: text }))
      if (source?.url) {
        words.append(
          element('p', { className: 'sm' }, element('a', { href: source.url, textContent: source.title })),
        )
      }
      if (arranged) {
        words.append(
          element('p', {
            className: 'sm dim',
            textContent: isOurs
              ? 'Nobody has been told yet: this page has no calendar behind it. Send it, and we confirm.'
              : 'On a real call this would now be in your calendar, and in your portal.',
          }),
        )
        if (isOurs)
          words.append(
            element('a', { className: 'btn two', href: mailFor(arranged), textContent: 'Send it' }),
          )
      }
      list.append(
        element(
          'li',
          { className: `by-${who}` },
          element('b', { className: 'label', textContent: who === 'agent' ? 'Agent' : 'You' }),
          words,
        ),
      )
      showLast()
    },
    choices(turn) {
      choices.replaceChildren(
        ...turn.choices.map((text) =>
          element('button', {
            className: 'chip',
            type: 'button',
            textContent: text,
            onclick: () => on.said(text),
          }),
        ),
      )
      showLast()
    },
    activity(now) {
      status.textContent = activityNames[now]
      dialog.dataset.activity = now
      microphone.textContent = now === 'listening' ? 'Stop' : 'Speak'
      microphone.setAttribute('aria-pressed', String(now === 'listening'))
      // Nobody is there to hear yet: what is typed meanwhile stays in the field.
      microphone.disabled = send.disabled = now === 'loading' || now === 'unreachable'
    },
    note(text) {
      note.textContent = text
    },
    sound(isOn) {
      sound.textContent = isOn ? 'Sound off' : 'Sound on'
    },
    clear() {
      list.replaceChildren()
      choices.replaceChildren()
    },
  }
}
