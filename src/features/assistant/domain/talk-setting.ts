/** What may be sent with a request to the model, besides what we always send, and how its text is read. */
const options = {
  reasoning_effort: String,
  temperature: Number,
  top_p: Number,
  service_tier: String,
} as const

/** The field that limits an answer's tokens: models that reason know only the first, some compatible servers only the second. */
const limitFields = ['max_completion_tokens', 'max_tokens']

/**
 * Parses TALK_MODEL: the model's name, and what is sent with it, written as a URL writes a query:
 * `gpt-5-mini?reasoning_effort=minimal` or `llama3.2?limit=max_tokens&temperature=0`.
 * @throws Error that names an unknown option
 */
export function modelSetting(text: string): {
  name: string
  options: Record<string, string | number>
  limitField: string
} {
  const [name = '', query] = text.split(/\?(.*)/s)
  const { limit = limitFields[0]!, ...rest } = Object.fromEntries(new URLSearchParams(query)) as Record<
    string,
    string | undefined
  >
  const unknown = Object.keys(rest).find((option) => !Object.hasOwn(options, option))
  if (unknown)
    throw new Error(
      `TALK_MODEL has the option "${unknown}". It may be: limit, ${Object.keys(options).join(', ')}.`,
    )
  if (!limitFields.includes(limit)) throw new Error(`TALK_MODEL: limit is ${limitFields.join(' or ')}.`)
  return {
    name,
    options: Object.fromEntries(
      Object.entries(rest).map(([option, value]) => [option, options[option as keyof typeof options](value)]),
    ),
    limitField: limit,
  }
}
