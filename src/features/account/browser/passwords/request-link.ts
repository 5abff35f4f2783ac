import { emailProblem, normalizeEmail } from '#platform/domain/text/email.ts'
import type { FieldProblem } from '#platform/domain/field-problem.ts'
import type { Result } from '#platform/domain/result.ts'

/** The fields of the form; `submit` is its button. */
export type RequestField = 'email' | 'submit'

/** Requests a mailed link. It never reveals whether an account exists: the answer is always the same. */
export async function requestLink(
  typed: string,
  send: (email: string) => Promise<Result<unknown>>,
): Promise<{ sentTo: string } | { problem: FieldProblem<RequestField> }> {
  const email = normalizeEmail(typed)
  const malformed = emailProblem(email)
  if (malformed !== undefined) return { problem: { field: 'email', message: malformed } }
  const sent = await send(email)
  return sent.ok ? { sentTo: email } : { problem: { field: 'submit', message: sent.failure.message } }
}
