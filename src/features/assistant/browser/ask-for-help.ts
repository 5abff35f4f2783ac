import { createLeadAnswer } from '#assistant/domain/contracts.ts'
import { isHelpTopic, longestHelp } from '#assistant/domain/help.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import type { FieldProblem } from '#platform/domain/field-problem.ts'
import type { Result } from '#platform/domain/result.ts'
import { emailProblem, normalizeEmail } from '#platform/domain/text/email.ts'

/** The fields of the form; `submit` is its button. */
export type HelpField = 'name' | 'email' | 'need' | 'submit'
export type TypedHelp = Record<'about' | 'name' | 'email' | 'need', string>

/** Sends a request for help; a test passes its own. */
export const sendHelp = (body: object, accessToken?: string) =>
  invokeFunction('create-lead', {
    body,
    answer: createLeadAnswer,
    ...(accessToken === undefined ? {} : { accessToken }),
  })

let sent = { text: '', id: '' }

/** Asks a person for help. The same text, sent again after a lost answer, is one request. */
export async function askForHelp(
  typed: TypedHelp,
  send: (body: object) => Promise<Result<unknown>>,
): Promise<{ problem: FieldProblem<HelpField> } | { sentTo: string }> {
  const [email, name, need] = [
    normalizeEmail(typed.email),
    ...[typed.name, typed.need].map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()),
  ] as [string, string, string]
  if (name === '') return { problem: { field: 'name', message: 'Enter your name.' } }
  const malformed = emailProblem(email)
  if (malformed !== undefined) return { problem: { field: 'email', message: malformed } }
  if (need === '') return { problem: { field: 'need', message: 'Say what it is about.' } }
  if (need.length > longestHelp)
    return { problem: { field: 'need', message: `Say it in at most ${longestHelp} characters.` } }

  const about = isHelpTopic(typed.about) ? typed.about : 'other'
  const request = {
    name,
    email,
    phone: null,
    wish: { kind: 'help', about, need },
    page: location.pathname.slice(0, 200),
  }
  const text = JSON.stringify(request)
  if (sent.text !== text) sent = { text, id: crypto.randomUUID() }
  const answer = await send({ ...request, id: sent.id })
  return answer.ok ? { sentTo: email } : { problem: { field: 'submit', message: answer.failure.message } }
}
