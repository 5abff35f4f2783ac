/**
 * A failure of ours with a code that may stand in a log line and in the webhook inbox: it never holds an e-mail, a
 * token or a provider's message.
 */
export abstract class CodedError extends Error {
  readonly code: string
  /** Codes and names worth logging beside it. */
  readonly facts: Readonly<Record<string, string>>

  constructor(code: string, facts: Record<string, string> = {}) {
    super([code, ...Object.values(facts)].join(': '))
    this.code = code
    this.facts = facts
  }
}
