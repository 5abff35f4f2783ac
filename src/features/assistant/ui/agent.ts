import {
  greet,
  isTopic,
  notPassedOn,
  passedOn,
  reply,
  type Arrangement,
  type Knowledge,
  type Topic,
  type Turn,
} from '#assistant/domain/dialogue/dialogue.ts'
import { browserStorage, tabStorage } from '#platform/browser/storage/storage.ts'
import { adoptStyles } from '#platform/browser/styles.ts'
import { storageKey } from '#site'
import styles from '../../../styles/assistant.css?inline'
import { createPanel, type Line, type Panel } from './panel.ts'
import { knowledgeFor } from '#assistant/browser/knowledge.ts'
import { agentName, type Role } from '#assistant/domain/role.ts'
import { dispatchConversationEvent } from '#assistant/browser/conversation-events.ts'
import {
  stopSpeaking,
  listen,
  speak,
  type RecognitionFailure,
  type Listening,
} from '#assistant/browser/speech.ts'

/** A conversation with the site's own voice agent. It is stored for the tab, so that it continues on the next page. */
interface Conversation {
  topic: Topic
  lines: Line[]
  isOpen: boolean
  /** The panel is a bar of one line. */
  isBar?: boolean
}

const leads = () => import('#assistant/browser/create-lead.ts')

const key = storageKey('conversation')
const soundKey = storageKey('agent_sound')

const failureNotes: Record<RecognitionFailure, string> = {
  refused: 'The microphone is not allowed here. Type instead, or allow it in your browser.',
  silence: 'I heard nothing. Press Speak and try again, or type.',
  unavailable: 'Your browser cannot listen right now. Type instead.',
}

let panel: Panel | undefined
let knowledge: Knowledge | undefined
let role: Role | undefined
let listening: Listening | undefined
/** The element that had the focus before the panel opened. */
let previousFocus: Element | null = null
let isSoundOn = browserStorage.read(soundKey) !== 'off'
let conversation: Conversation = { topic: { at: 'open' }, lines: [], isOpen: false }

/** Stores the conversation with the site's own agent. A customer's test is not stored: each one starts anew. */
function store(): void {
  if (!role) tabStorage.write(key, JSON.stringify(conversation))
}

/** Returns the stored conversation, unless a previous release stored it in another format. */
function storedConversation(): Conversation | undefined {
  try {
    const stored = JSON.parse(tabStorage.read(key) ?? 'null') as Partial<Conversation> | null
    return Array.isArray(stored?.lines) && isTopic(stored.topic) ? (stored as Conversation) : undefined
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

/** Says a turn, and waits for the caller's answer. */
function say(turn: Turn, remark?: string): void {
  conversation.topic = turn.topic
  addLine({
    who: 'agent',
    text: turn.say,
    source: turn.source,
    remark,
  })
  panel?.setChoices(turn)
  store()
  sayAloud(turn.say)
}

/** Answers the caller's text, or greets the caller if there is none. */
function answer(text: string | undefined): void {
  if (!knowledge || !panel) return
  const turn = text === undefined ? greet(knowledge) : reply(conversation.topic, text, knowledge)
  if (!turn.arranged) say(turn)
  else if (role)
    say(turn, 'On a real call this would now be in your portal, and in the calendar that you have connected.')
  else {
    say({ ...turn, topic: { at: 'unsent', request: turn.arranged, hasFailed: false }, choices: [] })
    void passOn(turn.arranged)
  }
}

/** Passes a request on, and says whether it has arrived. */
async function passOn(request: Arrangement): Promise<void> {
  const spoken = conversation
  panel?.setActivity('sending')
  const result = await leads()
    .then(({ createLead }) => createLead(request))
    .catch(() => ({ ok: false, failure: { message: 'Check your connection and try again.' } }) as const)
  // The caller may have started over in the meantime.
  if (conversation !== spoken || !knowledge) return
  if (panel?.dialog.open) panel.setActivity('ready')
  const { persona } = knowledge
  say(result.ok ? passedOn(request, persona) : notPassedOn(request, result.failure.message, persona))
}

function send(text: string): void {
  listening?.stop()
  panel?.setNote('')
  addLine({ who: 'caller', text })
  answer(text)
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

/** Stops the speech and the microphone. */
function stopAudio(): void {
  stopSpeaking()
  listening?.stop()
}

function restart(): void {
  conversation = { topic: { at: 'open' }, lines: [], isOpen: true }
  void open(false)
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
  return createPanel({
    send,
    toggleMicrophone,
    toggleSound,
    restart,
    toggleBar,
    // The bar does not cover what the link leads to, on this page or on the next one.
    follow: () => setBar(true),
    close: end,
  })
}

async function open(isResumed: boolean): Promise<void> {
  stopAudio()
  const opened = conversation
  panel ??= createStyledPanel()
  if (!panel.dialog.isConnected) document.body.append(panel.dialog)
  panel.clear()
  panel.setNote('')
  panel.setName(agentName(role))
  panel.setSound(isSoundOn)
  panel.setActivity('loading')
  panel.setBar(conversation.isBar ?? false)
  // `show()` would take the focus.
  if (isResumed) panel.dialog.setAttribute('open', '')
  else panel.dialog.show()
  dispatchConversationEvent('started')
  if (!isResumed) panel.focusInput()
  const loaded = await knowledgeFor(role).catch(() => undefined)
  // The caller may have hung up or started over in the meantime.
  if (conversation !== opened || !panel.dialog.open) return
  if (!loaded) {
    panel.setActivity('unreachable')
    return panel.setNote('The line is down: check your connection, then press Start over.')
  }
  panel.setActivity('ready')
  knowledge = loaded
  for (const line of conversation.lines) panel.addLine(line)
  conversation.isOpen = true
  const { topic, lines } = conversation
  if (lines.length === 0) return answer(undefined)
  store()
  // The visitor left the page before the answer came. The request is one lead, however often it is sent.
  if (topic.at === 'unsent' && !topic.hasFailed) return passOn(topic.request)
  panel.setChoices(reply(topic, '', knowledge))
}

/** Starts or continues the conversation. With a role, a customer's own agent answers. */
export function start(newRole?: Role): void {
  if (panel?.dialog.open && !newRole) {
    setBar(false)
    return panel.focusInput()
  }
  previousFocus = document.activeElement
  role = newRole
  conversation = {
    ...((newRole ? undefined : storedConversation()) ?? { topic: { at: 'open' }, lines: [] }),
    isOpen: true,
    isBar: false,
  }
  void open(false)
}

/** Hangs up, and returns the focus to where it was. */
export function end(): void {
  stopAudio()
  panel?.dialog.close()
  dispatchConversationEvent('ended')
  conversation.isOpen = false
  store()
  const target = previousFocus?.isConnected && previousFocus !== document.body ? previousFocus : roundButton()
  if (target instanceof HTMLElement) target.focus()
}

/** Returns the element that gets the focus after a conversation that started on another page. */
const roundButton = (): Element | null => document.querySelector('[data-voice-loaded] button')

// Without this, browsers continue to speak after the visitor has left the page.
addEventListener('pagehide', stopAudio)

/** Continues a conversation that was open on the previous page, without speech. On a phone it is a bar. */
export function resume(): void {
  const stored = storedConversation()
  if (!stored?.isOpen) return
  conversation = { ...stored, isBar: stored.isBar || matchMedia('(max-width: 47.99rem)').matches }
  void open(true)
}
