import { inspect } from 'node:util'
import { messages } from '@electric-sql/pglite'

const withoutEmails = (text: string): string => text.replace(/[^\s"'`()<>=,:]+@[^\s"'`()<>,]+/g, '<e-mail>')

/** A line for a database error, without its query and values, which may be personal. */
export const errorLine = ({ message, code }: { message: string; code?: string }): string =>
  withoutEmails(`Postgres refused: ${message} (${code})`)

let isDone = false

/**
 * Keeps personal data out of what @supabase/lite writes to standard error: of a database error only its message and its
 * code are written, and in every text e-mail addresses are masked.
 */
export function keepPersonalDataOut(): void {
  if (isDone) return
  isDone = true
  Object.defineProperty(messages.DatabaseError.prototype, inspect.custom, {
    value(this: messages.DatabaseError) {
      return errorLine(this)
    },
  })
  const write = console.error.bind(console)
  console.error = (...parts: unknown[]) =>
    write(...parts.map((part) => withoutEmails(typeof part === 'string' ? part : inspect(part))))
}
