import * as z from 'zod/mini'
import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import type { TalkAction } from '#assistant/domain/talk.ts'

/** What a tool says to the model, and what the page does besides. */
export interface ToolResult {
  said: unknown
  action?: TalkAction
}

/** A tool of the model. Its arguments are checked; whose data it reads is never one of them. */
export interface TalkTool {
  name: string
  description: string
  run(given: unknown): Promise<ToolResult> | ToolResult
  parameters: Record<string, unknown>
}

/**
 * Makes a tool. The description of a parameter is that of its schema.
 * @param description says to the model when to call it
 */
export function tool<Shape extends z.core.$ZodShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (given: z.infer<z.ZodMiniObject<Shape>>) => Promise<ToolResult> | ToolResult,
): TalkTool {
  const schema = z.object(shape)
  const parameters = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
  }) as Record<string, unknown>
  return {
    name,
    description,
    parameters,
    run(given) {
      const parsed = z.safeParse(schema, given)
      if (parsed.success) return run(parsed.data as z.infer<z.ZodMiniObject<Shape>>)
      const fields = parsed.error.issues.map(({ path }) => String(path[0] ?? 'arguments'))
      return { said: { error: `Missing or malformed: ${[...new Set(fields)].join(', ')}.` } }
    },
  }
}

/** Returns a tool as it is described to the model. */
export const describe = ({ name, description, parameters }: TalkTool): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters },
})

/** The most that a tool returns, in characters. */
const longestResult = 2_000

/**
 * Runs a call of the model. Whatever the model has made up, the answer is a text for it.
 * @throws Error of a provider or the database
 */
export async function runTool(
  tools: readonly TalkTool[],
  { name, arguments: text }: { name: string; arguments: string },
): Promise<{ content: string; action?: TalkAction }> {
  const called = tools.find((each) => each.name === name)
  if (!called) return { content: '{"error":"There is no such tool."}' }
  let given: unknown
  try {
    given = JSON.parse(text || '{}')
  } catch {
    return { content: '{"error":"The arguments are not JSON."}' }
  }
  const { said, action } = await called.run(given)
  return { content: JSON.stringify(said).slice(0, longestResult), ...(action ? { action } : {}) }
}
