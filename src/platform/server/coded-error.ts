/**
 * An error with a code that is safe to write into a log line and into the webhook inbox: the code never contains an e-mail,
 * a token or a provider's message.
 */
export class CodedError extends Error {
  override readonly name: string = 'CodedError'
  readonly code: string
  /** Codes and names that are logged with the code. */
  readonly details: Readonly<Record<string, string>>

  constructor(code: string, details: Record<string, string> = {}) {
    super([code, ...Object.values(details)].join(': '))
    this.code = code
    this.details = details
  }
}
