import type {
  AgentRef,
  AgentSpec,
  Message,
  ProviderNumber,
  ReportedCall,
  RingAnswer,
  RingQuestion,
  TestTicket,
  ToolQuestion,
  ToolResult,
} from '#telephony/domain/voice-line.ts'
import { CodedError } from '#platform/server/coded-error.ts'

/** How a provider's requests to us are read and answered. Needs no SDK, so that the function that a ring starts is small. */
export interface LineHooks {
  /** Reads the question what becomes of a ringing call. */
  readRing(request: Request, body: string): Promise<RingQuestion>
  answerRing(answer: RingAnswer): Response
  /** Reads which tools an agent calls. */
  readTools(request: Request, body: string): Promise<ToolQuestion>
  answerTools(results: readonly ToolResult[]): Response
  /** Reads what the provider reports about calls. */
  readMessage(request: Request, body: string): Promise<Message>
}

/**
 * The voice provider that runs the customers' agents. Nothing that creates something is repeated by itself: if its answer
 * was lost, look with `find` or `listNumbers` before you try again. All methods throw {@link VoiceLineError}.
 */
export interface VoiceLine extends LineHooks {
  make(spec: AgentSpec): Promise<AgentRef>
  /** Returns what an agent of this spec is at the provider, as a digest: one that differs has to be changed. */
  digest(spec: AgentSpec): string
  /** Returns the account's agents, oldest first. More than one are left if an answer came too late. */
  find(account: string): Promise<AgentRef[]>
  /** Changes an agent to what its spec says; always sends all of it. */
  change(agent: AgentRef, spec: AgentSpec): Promise<void>
  /** Removes an agent. One that is gone already counts as removed. */
  remove(agent: AgentRef): Promise<void>
  /** Removes all that the account has, also what was made without our receiving an answer. */
  removeAll(account: string): Promise<void>

  /**
   * Makes calls to a number reach us first and then the agent; without an agent, nobody answers the number.
   * @param number in E.164
   * @param ring.url the URL that is asked when the number rings
   * @param ring.fallback the number that rings if we do not respond
   */
  bind(number: string, agent: AgentRef | null, ring: { url: string; fallback: string | null }): Promise<void>
  listNumbers(): Promise<ProviderNumber[]>
  /**
   * Buys a number.
   * @param name the id of our row, by which `listNumbers` shows whose it is
   * @param areaCode three digits; without it the provider chooses
   */
  buyNumber(name: string, areaCode?: string): Promise<ProviderNumber>
  /** Gives a number back. */
  releaseNumber(number: Pick<ProviderNumber, 'id'>): Promise<void>

  /** Returns our ids of the calls that have ended since a moment, for a look whether a report was lost. */
  endedCalls(since: Date): Promise<string[]>
  /** Returns the report of a call, or undefined if the provider does not have the call or it has not ended. */
  report(call: string): Promise<ReportedCall | undefined>
  /** Returns a URL under which the recording of a call can be read now, or undefined if there is none. */
  recording(call: string): Promise<string | undefined>
  /** Deletes all that the provider has of a call. */
  purge(call: string): Promise<void>

  /**
   * Prepares a call from the browser, which the provider ends after `longestTest` seconds.
   * @param account is named by the call's report, which is a test
   * @param now what day and time it is at the business
   */
  test(agent: AgentRef, account: string, now: string): Promise<TestTicket>
}

/** The step that failed. */
export type Step = Exclude<keyof VoiceLine, keyof LineHooks>

/** The voice provider refused a request or could not be reached. */
export class VoiceLineError extends CodedError {
  override readonly name = 'VoiceLineError'
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** The provider's own words, for the admin. They may repeat what we sent, so they are never logged. */
  readonly words: string

  constructor(step: Step, status: number | undefined, words: string) {
    super(`voice ${status ?? 'none'}`, { step })
    this.status = status
    this.words = words.slice(0, 300)
  }

  /** Whether the provider has certainly not done what was asked. Otherwise nobody knows. */
  get isDefinite(): boolean {
    return this.status !== undefined && this.status >= 400 && this.status < 500 && this.status !== 408
  }
}

/** The longest wait for a response, as for our other providers. */
export const lineTimeoutSeconds = 8

/** The largest message that is read, in bytes: it has the transcript of a long call several times. */
export const largestMessage = 5 * 1024 * 1024
