import { html } from 'hono/html'
import { writtenCallers } from '../voice/callers.ts'
import type { Outcome } from '../voice/calls.ts'
import type { Call, Delivery } from '../voice/state.ts'
import { actionButton, layout, table, type Markup } from './layout.ts'

/** A number that an agent answers. */
export interface NumberRow {
  number: string
  /** The customer's; empty if no account has the number. */
  email: string
}

const back = html`<p><a href="/local">Back to the local services</a></p>`

const numberRow = ({ number, email }: NumberRow): Markup =>
  html`<tr>
    <td>${number}</td>
    <td>${email}</td>
    <td>
      <form method="post" action="/local/ring" class="buttons">
        <input type="hidden" name="number" value="${number}" />
        <select name="caller" aria-label="Who calls ${number}">
          <option value="">You</option>
          ${writtenCallers.map(({ wants }, index) => html`<option value="${index}">${wants}</option>`)}
        </select>
        <input
          name="from"
          value="+12025550142"
          aria-label="Your number; empty if withheld"
          inputmode="tel"
          maxlength="20"
        />
        <button>Ring it</button>
      </form>
    </td>
  </tr>`

const moment = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

const callRow = ({ id, number, other, createdAt, endedAt, turns }: Call): Markup =>
  html`<tr>
    <td>${moment(createdAt)}</td>
    <td>${number ?? 'browser'}</td>
    <td>${other ?? 'withheld'}</td>
    <td>${endedAt === null ? 'running' : 'ended'}, ${turns.length} turns</td>
    <td><a href="/local/calls/${id}">Open</a></td>
  </tr>`

/** Returns the part of the dashboard that rings agents. */
export const phoneSections = (numbers: readonly NumberRow[], calls: readonly Call[]): Markup => html`
  ${table(
    'Numbers',
    'None yet. A customer who has bought a plan and finished onboarding gets one, within a minute or on opening the portal.',
    ['Number', 'Customer', 'Call'],
    numbers.map(numberRow),
  )}
  <p class="dim">
    Choose You to type what you say, or let one of ${writtenCallers.length} written callers do it. The agent
    answers by matching, on this machine: it says the taught answer whose question is most alike, and
    understands less than a language model. The site’s agent and Try it do the same unless a model is
    connected.
  </p>
  ${table('Calls', 'Nobody has called.', ['Began', 'Number', 'Caller', 'State', ''], calls.map(callRow))}
  <h2>Faults of the voice provider</h2>
  <div class="buttons">
    ${actionButton('/local/voice-fault', { fault: 'refused' }, 'Fail its next answer')}
    ${actionButton('/local/voice-fault', { fault: 'lost' }, 'Lose its next answer')}
    ${actionButton('/local/voice-fault', { fault: 'dropped' }, 'Break the next connection')}
  </div>
`

/** Returns what became of a ring that no agent answered. */
export const outcomePage = (number: string, { got, to, words, tries, response }: Outcome): Markup => {
  const text = {
    agent: '',
    number: `${words ? `“${words}” ` : ''}The call was put through to ${to ?? 'a number'}.`,
    words: `“${words}” The call ended.`,
    silence: 'Nobody answered, and nothing was said.',
  }[got]
  return layout(
    'No agent answered',
    number,
    html`<p><b>${text}</b></p>
      <p class="dim">
        We were asked ${tries} times; the last response was: <code>${response ?? 'none'}</code>
      </p>
      ${back}`,
  )
}

const turnsOf = ({ turns }: Call): Markup =>
  html`<ol class="turns">
    ${turns.map(
      ({ who, text }) => html`<li class="${who}"><b>${who === 'agent' ? 'Agent' : 'Caller'}</b> ${text}</li>`,
    )}
  </ol>`

const runningCall = (path: string): Markup => html`
  <form method="post" action="${path}/say" class="buttons">
    <label for="text">You say</label>
    <input id="text" name="text" required maxlength="500" autocomplete="off" autofocus size="40" />
    <button>Say it</button>
  </form>
  <div class="buttons">
    ${actionButton(`${path}/hang-up`, {}, 'Hang up')}
    ${actionButton(`${path}/hang-up`, { report: 'later' }, 'Hang up, report later')}
  </div>
`

const endedCall = (path: string, deliveries: readonly Delivery[]): Markup => html`
  <div class="buttons">
    ${actionButton(`${path}/report`, { how: 'once' }, 'Report it')}
    ${actionButton(`${path}/report`, { how: 'twice' }, 'Report it twice')}
    ${actionButton(`${path}/report`, { how: 'forged' }, 'Report it forged')}
    ${actionButton(`${path}/report`, { how: 'old' }, 'Report it with an old signature')}
  </div>
  ${table(
    'Reports',
    'This call has not been reported.',
    ['State', 'Attempts', 'Last response'],
    deliveries.map(
      ({ state, attempts, lastResponse }) =>
        html`<tr>
          <td>${state}</td>
          <td>${attempts}</td>
          <td><code>${lastResponse ?? ''}</code></td>
        </tr>`,
    ),
  )}
`

/** Returns a call, in which a person types what the caller says. */
export function callPage(call: Call, deliveries: readonly Delivery[]): Markup {
  const path = `/local/calls/${call.id}`
  const { number, other, endedAt } = call
  return layout(
    endedAt === null ? 'On the phone' : 'Call ended',
    `${other ?? 'A withheld number'} called ${number ?? 'from the browser'}`,
    html`${turnsOf(call)} ${endedAt === null ? runningCall(path) : endedCall(path, deliveries)} ${back}`,
  )
}
