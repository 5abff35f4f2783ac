import { greet, isTopic, reply, type Knowledge, type Topic } from '#assistant/domain/dialogue.ts'
import { adoptStyles } from '#platform/browser/styles.ts'
import { storageKey } from '#site'
import styles from '../../../styles/assistant.css?inline'
import { createPanel, type Line, type Panel } from './panel.ts'
import { knowledgeFor, type Role } from '#assistant/browser/knowledge.ts'
import { tell } from '#assistant/browser/conversation-events.ts'
import {
  stopSpeaking,
  listen,
  speak,
  type RecognitionFailure,
  type Listening,
} from '#assistant/browser/speech.ts'

/**
 * The voice agent that comes with the site. It stands behind one browser global with `start` and `end`, as any
 * provider's widget does. A conversation is kept for the tab, so that it goes on when the page changes.
 */
interface Conversation {
  topic: Topic
  lines: Line[]
  isOpen: boolean
}

const key = storageKey('conversation')
const soundKey = storageKey('agent_sound')

const excuses: Record<RecognitionFailure, string> = {
  refused: 'The microphone is not allowed here. Type instead, or allow it in your browser.',
  silence: 'I heard nothing. Press Speak and try again, or type.',
  unavailable: 'Your browser cannot listen right now. Type instead.',
}

let panel: Panel | undefined
let knowledge: Knowledge | undefined
let role: Role | undefined
let ears: Listening | undefined
let cameFrom: Element | null = null
let isSoundOn = readSound()
let conversation: Conversation = { topic: { at: 'open' }, lines: [], isOpen: false }

function readSound(): boolean {
  try {
    return localStorage.getItem(soundKey) !== 'off'
  } catch {
    return true
  }
}

/** Keeps the conversation with this site's agent; a customer's test begins anew each time. */
function keep(): void {
  if (role) return
  try {
    sessionStorage.setItem(key, JSON.stringify(conversation))
  } catch {
    // Storage is closed to this page: the conversation ends with it.
  }
}

/** The conversation of the page before; one that an earlier release kept may look otherwise, and is left. */
function kept(): Conversation | undefined {
  try {
    const earlier = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Conversation> | null
    return Array.isArray(earlier?.lines) && isTopic(earlier.topic) ? (earlier as Conversation) : undefined
  } catch {
    return undefined
  }
}

const options = () => ({ isOurs: role === undefined })

function sayAloud(text: string): void {
  if (!isSoundOn) return
  stopSpeaking()
  panel?.activity('speaking')
  speak(text, () => panel?.activity('ready'))
}

function record(line: Line): void {
  conversation.lines.push(line)
  panel?.add(line, options())
}

function answer(heard: string | undefined): void {
  if (!knowledge || !panel) return
  const turn = heard === undefined ? greet(knowledge) : reply(conversation.topic, heard, knowledge)
  conversation.topic = turn.topic
  record({
    who: 'agent',
    text: turn.say,
    ...(turn.source && { source: turn.source }),
    ...(turn.arranged && { arranged: turn.arranged }),
  })
  panel.choices(turn)
  keep()
  sayAloud(turn.say)
}

function said(text: string): void {
  ears?.stop()
  panel?.note('')
  record({ who: 'caller', text })
  answer(text)
  panel?.rest()
}

function microphone(): void {
  if (ears) return ears.stop()
  stopSpeaking()
  panel?.note('')
  panel?.activity('listening')
  ears = listen({
    interim: (text) => panel?.note(text),
    heard: said,
    failed: (why) => panel?.note(excuses[why]),
    ended: () => {
      ears = undefined
      if (panel?.dialog.dataset.activity === 'listening') panel.activity('ready')
    },
  })
}

function toggleSound(): void {
  isSoundOn = !isSoundOn
  if (!isSoundOn) stopSpeaking()
  panel?.sound(isSoundOn)
  try {
    localStorage.setItem(soundKey, isSoundOn ? 'on' : 'off')
  } catch {
    // Storage is closed to this page: the choice ends with it.
  }
}

/** Silence, and no microphone. */
function fallSilent(): void {
  stopSpeaking()
  ears?.stop()
}

function again(): void {
  conversation = { topic: { at: 'open' }, lines: [], isOpen: true }
  void begin(false)
}

function dressedPanel(): Panel {
  adoptStyles(styles)
  return createPanel({ said, microphone, sound: toggleSound, again, close: end })
}

async function begin(isResumed: boolean): Promise<void> {
  fallSilent()
  const begun = conversation
  panel ??= dressedPanel()
  if (!panel.dialog.isConnected) document.body.append(panel.dialog)
  panel.clear()
  panel.note('')
  panel.sound(isSoundOn)
  panel.activity('loading')
  panel.dialog.show()
  tell('started')
  if (!isResumed) panel.rest()
  const known = await knowledgeFor(role).catch(() => undefined)
  // Somebody has hung up meanwhile, or started over.
  if (conversation !== begun || !panel.dialog.open) return
  if (!known) {
    panel.activity('unreachable')
    return panel.note('The line is down: check your connection, then press Start over.')
  }
  panel.activity('ready')
  knowledge = known
  for (const line of conversation.lines) panel.add(line, options())
  conversation.isOpen = true
  if (conversation.lines.length === 0) answer(undefined)
  else {
    panel.choices(reply(conversation.topic, '', knowledge))
    keep()
  }
}

/** Starts the conversation, or goes on with it. With a role, a customer's own agent answers. */
export function start(as?: Role): void {
  if (panel?.dialog.open && !as) return panel.rest()
  cameFrom = document.activeElement
  role = as
  conversation = (as ? undefined : kept()) ?? { topic: { at: 'open' }, lines: [], isOpen: true }
  void begin(false)
}

/** Hangs up: silence, no microphone, and the focus back where it was. */
export function end(): void {
  fallSilent()
  panel?.dialog.close()
  tell('ended')
  conversation.isOpen = false
  keep()
  const back = cameFrom?.isConnected && cameFrom !== document.body ? cameFrom : roundButton()
  if (back instanceof HTMLElement) back.focus()
}

/** Where the focus belongs after a conversation that began on another page. */
const roundButton = (): Element | null => document.querySelector('[data-voice-loaded] button')

// Browsers speak on when the page is left.
addEventListener('pagehide', fallSilent)

/** Goes on with a conversation that was open on the page before, without a word aloud. */
export function resume(): void {
  const earlier = kept()
  if (!earlier?.isOpen) return
  conversation = earlier
  void begin(true)
}
