export const talkLimits = {
  /** The longest line, in characters. */
  line: 500,
  /** The most turns of a conversation. */
  turns: 40,
  /** The most requests to the model for one line; the last may call no tool. */
  steps: 4,
  /** The most tokens of one answer of the model. */
  tokens: 500,
  /** The most tool calls in one answer of the model. */
  calls: 4,
  /** The largest body of a request, in bytes: a page drops its oldest turns first. */
  body: 64 * 1024,
} as const
