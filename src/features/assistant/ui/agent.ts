import { newConversation, talk, type TalkEnd } from '#assistant/browser/talk.ts'
import {
  stopSpeaking,
  listen,
  speak,
  type RecognitionFailure,
  type Listening,
} from '#assistant/browser/speech.ts'
import { siteRole, type Role } from '#assistant/domain/role.ts'
import type { FormReason, SignedTurn, TalkAction, TalkEvent } from '#assistant/domain/talk.ts'
import { env } from '#platform/browser/env.ts'
import { browserStorage, tabStorage } from '#platform/browser/storage/storage.ts'
import { adoptStyles } from '#platform/browser/styles.ts'
import { helpFor, routes } from '#platform/domain/routes.ts'
import { storageKey } from '#site'
import styles from '../../../styles/assistant.css?inline'
import { createPanel, type Choice, type Line, type Panel } from './panel.ts'

/** A conversation. That with the site's agent is stored for the tab, so that it continues on the next page. */
interface Conversation {
  id: string
  /** What the function has signed, to be sent back with the next line. */
  turns: SignedTurn[]
  lines: Line[]
  /** The last line of the caller has no whole answer. */
  isUnanswered?: boolean
  isOpen: boolean
  /** The panel is a bar of one line. */
  isBar?: boolean
}

const key = storageKey('conversation')
const soundKey = storageKey('agent_sound')

const failureNotes: Record<RecognitionFailure, string> = {
  refused: 'The microphone is not allowed here. Type instead, or allow it in your browser.',
  silence: 'I heard nothing. Press Speak and try again, or type.',
  unavailable: 'Your browser cannot listen right now. Type instead.',
}
const formNotes: Record<FormReason, string> = {
  budget: 'I have talked as much as I may today. A person of our team answers you.',
  unavailable: 'I cannot answer right now. A person of our team answers you.',
  too_long: 'This conversation is as long as it can be. Start over, or let a person answer you.',
}
/** What is said in small print about what has happened besides. */
const remarks: Partial<Record<TalkAction, string>> = {
  lead: 'Passed on to our team.',
  transfer: 'On a call, you would be put through now.',
  end_call: 'On a call, it would hang up now.',
}
const askPerson = (about?: string): Choice => ({ title: 'Ask a person', url: helpFor(about) })

const newOne = (): Conversation => ({ id: newConversation(), turns: [], lines: [], isOpen: true })

let panel: Panel | undefined
let role: Role = siteRole
let listening: Listening | undefined
/** Ends the answer that is being said. */
let answering: AbortController | undefined
/** The element that had the focus before the panel opened. */
let previousFocus: Element | null = null
let isSoundOn = browserStorage.read(soundKey) !== 'off'
let conversation = newOne()

function store(): void {
  if (role === siteRole) tabStorage.write(key, JSON.stringify(conversation))
}

/** Returns the stored conversation, unless a previous release stored it in another format. */
function storedConversation(): Conversation | undefined {
  try {
    const stored = JSON.parse(tabStorage.read(key)!) as Partial<Conversation> | null
    return stored?.id && Array.isArray(stored.lines) && Array.isArray(stored.turns)
      ? (stored as Conversation)
      : undefined
  } catch {
    return undefined
  }
}

function sayAloud(text: string): void {
  if (!isSoundOn || !panel?.dialog.open) return
  stopSpeaking()
  panel.setActivity('speaking')
  speak(text, () => {
    if (panel?.dialog.dataset.activity === 'speaking') panel.setActivity('ready')
  })
}

function addLine(line: Line): void {
  conversation.lines.push(line)
  panel?.addLine(line)
}

/** Lets the agent answer the line that was said last. */
async function answer(): Promise<void> {
  const asked = conversation.lines.findLast(({ who }) => who === 'caller')
  if (!asked || !panel) return
  const { addLine: show, dialog } = panel
  const spoken = conversation
  const line: Line = { who: 'agent', text: '', sources: [] }
  let shown: ReturnType<Panel['addLine']> | undefined
  let leadsTo: Choice[] = []
  stopSpeaking()
  panel.setNote('')
  panel.setChoices([])
  panel.setActivity('answering')
  answering = new AbortController()
  spoken.isUnanswered = true
  store()
  const begin = () => {
    if (!shown) spoken.lines.push(line)
    return (shown ??= show(line))
  }
  const take = (event: TalkEvent): void => {
    if (conversation !== spoken) return
    if (event.type === 'text') {
      begin().say(event.text)
      line.text += event.text
    } else if (event.type === 'source') {
      begin().show(event)
      line.sources!.push({ title: event.title, url: event.url })
    } else if (event.type === 'action') {
      const remark = remarks[event.action]
      if (remark) line.remark = remark
      if (event.action === 'person') leadsTo = [askPerson()]
      if (event.action === 'complaint') leadsTo = [askPerson('complaint')]
    }
  }
  const request = {
    place: role.place,
    conversation: spoken.id,
    turns: spoken.turns,
    line: asked.text,
    page: location.pathname.slice(0, 200),
  }
  const end = await talk(request, take, answering.signal)
  // The caller may have started over in the meantime.
  if (conversation !== spoken) return
  answering = undefined
  spoken.isUnanswered = end.kind !== 'answered'
  if (end.kind === 'answered')
    spoken.turns = end.turn.position === 0 ? [end.turn] : [...spoken.turns, end.turn]
  else if (shown) line.remark = 'This answer was cut off.'
  if (line.remark) begin().remark(line.remark)
  panel.setActivity(end.kind === 'unreachable' ? 'unreachable' : 'ready')
  panel.setNote(noteOf(end))
  panel.setChoices(end.kind === 'answered' ? leadsTo : choicesAfter(end))
  store()
  if (end.kind === 'answered' && dialog.open) sayAloud(line.text)
}

function noteOf(end: TalkEnd): string {
  switch (end.kind) {
    case 'form':
      return formNotes[end.reason]
    case 'busy':
      return `That was a lot at once. Try again in ${end.seconds} seconds.`
    case 'signedOut':
      return 'You are no longer logged in. Log in, and test your agent again.'
    case 'unreachable':
      return 'The line is down: check your connection, then try again.'
    default:
      return ''
  }
}

const again: Choice = { name: 'Try again', press: () => void answer() }

function choicesAfter({ kind }: TalkEnd): Choice[] {
  if (kind === 'signedOut') return [{ title: 'Log in', url: routes.login }]
  return kind === 'form' ? [again, askPerson()] : [again]
}

function send(text: string): void {
  listening?.stop()
  addLine({ who: 'caller', text })
  void answer()
  panel?.focusInput()
}

function toggleMicrophone(): void {
  if (listening) return listening.stop()
  stopSpeaking()
  panel?.setNote('')
  panel?.setActivity('listening')
  listening = listen({
    interim: (text) => panel?.setNote(text),
    final: send,
    failed: (why) => panel?.setNote(failureNotes[why]),
    ended: () => {
      listening = undefined
      if (panel?.dialog.dataset.activity === 'listening') panel.setActivity('ready')
    },
  })
}

function toggleSound(): void {
  isSoundOn = !isSoundOn
  if (!isSoundOn) stopSpeaking()
  panel?.setSound(isSoundOn)
  browserStorage.write(soundKey, isSoundOn ? 'on' : 'off')
}

/** Stops the answer, the speech and the microphone. */
function stop(): void {
  answering?.abort()
  stopSpeaking()
  listening?.stop()
}

function restart(): void {
  stop()
  conversation = newOne()
  open(false)
}

function setBar(isBar: boolean): void {
  conversation.isBar = isBar
  panel?.setBar(isBar)
  store()
}

function toggleBar(): void {
  setBar(!conversation.isBar)
  if (!conversation.isBar) panel?.focusInput()
}

function createStyledPanel(): Panel {
  adoptStyles(styles)
  return createPanel(env.talkNote, {
    send,
    toggleMicrophone,
    toggleSound,
    stop() {
      stop()
      panel?.focusInput()
    },
    restart,
    toggleBar,
    // The bar does not cover what the link leads to, on this page or on the next one.
    follow: () => setBar(true),
    close: end,
  })
}

function open(isResumed: boolean): void {
  panel ??= createStyledPanel()
  if (!panel.root.isConnected) document.body.append(panel.root)
  panel.clear()
  panel.setNote('')
  panel.setName(role.name)
  panel.setSound(isSoundOn)
  panel.setActivity('ready')
  panel.setBar(conversation.isBar ?? false)
  // `show()` would take the focus.
  if (isResumed) panel.dialog.setAttribute('open', '')
  else panel.dialog.show()
  document.documentElement.dataset.conversation = 'started'
  for (const line of conversation.lines) panel.addLine(line)
  // The visitor left the page before the answer came, or hung up.
  if (conversation.isUnanswered) panel.setChoices([again])
  if (conversation.lines.length === 0) {
    addLine({ who: 'agent', text: role.greeting })
    panel.setChoices(role.asks)
    sayAloud(role.greeting)
  }
  store()
  if (!isResumed) panel.focusInput()
}

/** Starts or continues the conversation. With a role, a customer's own agent answers. */
export function start(newRole?: Role): void {
  if (panel?.dialog.open && !newRole) {
    setBar(false)
    return panel.focusInput()
  }
  stop()
  previousFocus = document.activeElement
  role = newRole ?? siteRole
  conversation = { ...((newRole ? undefined : storedConversation()) ?? newOne()), isOpen: true, isBar: false }
  open(false)
}

/** Hangs up, and returns the focus to where it was. */
export function end(): void {
  stop()
  panel?.dialog.close()
  document.documentElement.dataset.conversation = 'ended'
  conversation.isOpen = false
  store()
  const target = previousFocus?.isConnected && previousFocus !== document.body ? previousFocus : roundButton()
  if (target instanceof HTMLElement) target.focus()
}

/** Returns the element that gets the focus after a conversation that started on another page. */
const roundButton = (): Element | null => document.querySelector('[data-voice-loaded] button')

// Without this, browsers continue to speak after the visitor has left the page, and the agent goes on answering.
addEventListener('pagehide', stop)

/** Continues a conversation that was open on the previous page, without speech. On a phone it is a bar. */
export function resume(): void {
  const stored = storedConversation()
  if (!stored?.isOpen) return
  conversation = { ...stored, isBar: stored.isBar || matchMedia('(max-width: 47.99rem)').matches }
  open(true)
}
