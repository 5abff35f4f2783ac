import * as z from 'zod/mini'
import { newId, type Account } from './account.ts'
import { ask, signedHeaders, type Signing } from './deliveries.ts'
import { vapiCallOf } from './reports.ts'
import type { Call, Fields } from './state.ts'

const toolResults = z.object({
  results: z.array(
    z.object({
      toolCallId: z.string(),
      name: z.string(),
      result: z.optional(z.string()),
      error: z.optional(z.string()),
    }),
  ),
})
/** What our function answered: the results, or undefined if Vapi could not read them. */
interface Called {
  status: number
  results: z.infer<typeof toolResults>['results'] | undefined
}

/**
 * Calls tools of a call's agent, all at once, as Vapi does for its model.
 * @param options.times how often the same request is sent; the last answer counts
 */
export async function callTools(
  account: Account,
  call: Call,
  calls: readonly { name: string; given: unknown }[],
  { times = 1, signing }: { times?: number; signing?: Signing } = {},
): Promise<Called> {
  const assistant = account.store.get('assistants', call.agent)
  const model = assistant?.model as { tools?: { function?: { name: string }; server?: Fields }[] } | undefined
  const tool = model?.tools?.find((each) => each.function?.name === calls[0]?.name)
  const messages = assistant?.serverMessages as string[] | undefined
  if (!tool?.server?.url || (messages && !messages.includes('tool-calls')))
    return { status: 0, results: undefined }
  const toolCallList = calls.map(({ name, given }) => ({
    id: newId(),
    type: 'function',
    // The OpenAPI has the text; some of Vapi's examples have the object.
    function: { name, arguments: JSON.stringify(given) },
  }))
  const customer = call.other ? { customer: { number: call.other } } : {}
  const body = JSON.stringify({
    message: {
      type: 'tool-calls',
      timestamp: Date.now(),
      toolCallList,
      toolWithToolCallList: toolCallList.map((toolCall) => ({
        ...model?.tools?.find((each) => each.function?.name === toolCall.function.name),
        type: 'function',
        toolCall,
      })),
      call: vapiCallOf(account, call),
      ...customer,
    },
  })
  let called: Called = { status: 0, results: undefined }
  for (let time = 0; time < times; time++) {
    const headers = signedHeaders(account, body, tool.server, signing)
    const { status, json } = await ask(String(tool.server.url), headers, body, toolPatience)
    called = { status, results: z.safeParse(toolResults, json).data?.results }
  }
  return called
}
/** How long Vapi waits for a tool, in milliseconds. */
const toolPatience = 20_000
