import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/**
 * Writes what Vapi's OpenAPI says of the bodies that we and Vapi exchange into vapi.schema.json, as JSON schemas (draft 7):
 * `node local/voice/generate-schema.ts <file>`, with the JSON of https://api.vapi.ai/api-json, which may be gzipped. What is not
 * listed here is left out, so a body that has it does not match: list it and run this again. So are the hundreds of words by which
 * it says why a call has ended.
 */
const kept: Record<string, string> = {
  CreateAssistantDTO:
    'name metadata firstMessage maxDurationSeconds backgroundSound model voice transcriber serverMessages server artifactPlan analysisPlan',
  OpenAIModel: 'provider model reasoningEffort messages tools',
  OpenAIMessage: 'role content',
  CreateEndCallToolDTO: 'type messages',
  CreateTransferCallToolDTO: 'type destinations',
  TransferDestinationNumber: 'type number message',
  CreateFunctionToolDTO: 'type messages function server',
  ToolMessageStart: 'type content',
  ToolMessageDelayed: 'type content timingMilliseconds',
  OpenAIFunction: 'name description parameters',
  OpenAIFunctionParameters: 'type properties required',
  JsonSchema: 'type items properties description pattern format required enum title',
  Server: 'url credentialId timeoutSeconds backoffPlan',
  BackoffPlan: 'type maxRetries baseDelaySeconds',
  VapiVoice: 'provider voiceId version',
  ElevenLabsVoice: 'provider voiceId model',
  CartesiaVoice: 'provider voiceId',
  DeepgramTranscriber: 'provider model language',
  ArtifactPlan: 'recordingEnabled loggingEnabled pcapEnabled structuredOutputs',
  CreateStructuredOutputDTO: 'name type schema',
  AnalysisPlan: 'successEvaluationPlan',
  SuccessEvaluationPlan: 'enabled rubric',
  AssistantOverrides: 'metadata variableValues firstMessage maxDurationSeconds',
  CreateCallDTO: 'assistantId transport assistantOverrides',
  VapiWebCallTransport: 'provider callUrl',
  TwilioTransport: 'provider',
  CreateVapiPhoneNumberDTO: 'provider name numberDesiredAreaCode',
  UpdateVapiPhoneNumberDTO: 'name assistantId server fallbackDestination',
  ServerMessageAssistantRequest: 'type timestamp call customer',
  ServerMessageResponseAssistantRequest: 'destination error assistantId assistantOverrides',
  ServerMessageToolCalls: 'type timestamp toolCallList toolWithToolCallList call customer',
  ToolCall: 'id type function',
  ToolCallFunction: 'arguments name',
  FunctionToolWithToolCall: 'type messages function server toolCall',
  ServerMessageResponseToolCalls: 'results',
  ToolCallResult: 'name toolCallId result error',
  ServerMessageEndOfCallReport:
    'type timestamp startedAt endedAt endedReason cost artifact analysis call customer',
  Call: 'id orgId type status assistantId assistantOverrides createdAt updatedAt startedAt endedAt endedReason cost customer phoneNumberId transport artifact analysis',
  CreateCustomerDTO: 'number',
  Artifact: 'messages recordingUrl presignedMonoUrl presignedUrlsExpiresAt structuredOutputs',
  SystemMessage: 'role message time secondsFromStart',
  BotMessage: 'role message time endTime secondsFromStart',
  UserMessage: 'role message time endTime secondsFromStart',
  Analysis: 'summary successEvaluation',
}

type Schema = Record<string, unknown>
/** What Vapi does, and its OpenAPI does not say. */
const also: Record<string, Schema> = {
  // https://docs.vapi.ai/assistants/call-timeout-settings
  CreateAssistantDTO: { silenceTimeoutSeconds: { type: 'number', minimum: 5, maximum: 3_600 } },
  // The SDK's types have it.
  Call: { webCallUrl: { type: 'string' } },
  // It is the whole number, as a list of numbers has it.
  ServerMessageAssistantRequest: { phoneNumber: { type: 'object' } },
  Server: { url: { type: 'string', format: 'uri' } },
  // The check of numbers is on by default.
  TransferDestinationNumber: { number: { type: 'string', pattern: '^\\+[1-9]\\d{5,14}$' } },
}
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file with the OpenAPI.')
const bytes = await readFile(file)
const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()
const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, Schema> } }).components

/** Whether a property says of which kind a body is. */
const isTag = (name: string, { required, properties }: Schema): boolean =>
  Array.isArray(required) &&
  required.includes(name) &&
  Array.isArray((properties as Record<string, Schema>)[name]?.enum)
const definitionOf = (ref: string): Schema => schemas[ref.split('/').at(-1)!] ?? {}

/** Returns a schema with what is listed; undefined if it is of nothing that is. */
function excerpt(schema: Schema): Schema | undefined {
  const { $ref, oneOf, anyOf, allOf, properties, items, additionalProperties, ...rest } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)!
    return name in kept ? { $ref: `#/definitions/${name}` } : undefined
  }
  const several = [oneOf, anyOf, allOf].find(Array.isArray) as Schema[] | undefined
  if (several) {
    const found = several.map(excerpt).filter((each) => each !== undefined)
    if (found.length < 2) return found[0]
    const tag = ['type', 'provider'].find((each) =>
      found.every(({ $ref: ref }) => isTag(each, definitionOf(String(ref)))),
    )
    return tag ? { discriminator: { propertyName: tag }, oneOf: found } : { anyOf: found }
  }
  const { type, pattern } = rest
  const isShort = Array.isArray(rest.enum) && rest.enum.length < 200
  const words = [
    'enum',
    'const',
    'format',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'nullable',
    'required',
  ]
  return {
    // It calls words of a list an object, and a list's words those of the list.
    ...(type !== 'object' || !rest.enum ? { type } : {}),
    ...Object.fromEntries(
      words.flatMap((word) =>
        word in rest && (word !== 'enum' || (isShort && type !== 'array')) ? [[word, rest[word]]] : [],
      ),
    ),
    ...(typeof pattern === 'string' && { pattern: pattern.replace(/^\/(.*)\/$/, '$1') }),
    ...(isObject(items) && { items: excerpt(items) ?? {} }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, one]) => {
          const its = excerpt(one as Schema)
          return its ? [[name, its]] : []
        }),
      ),
      additionalProperties: false,
    }),
    ...(isObject(additionalProperties) && { additionalProperties: excerpt(additionalProperties) ?? {} }),
  }
}

const definitions = Object.entries(kept).map(([name, names]) => {
  const schema = schemas[name]
  if (!schema) throw new Error(`The OpenAPI has no ${name}.`)
  const all = schema.properties as Schema
  const listed = names.split(' ')
  const unknown = listed.filter((each) => !(each in all))
  if (unknown.length > 0) throw new Error(`${name} has no ${unknown.join(', ')}.`)
  const properties = Object.fromEntries(listed.map((each) => [each, all[each]]))
  return `  ${JSON.stringify(name)}: ${JSON.stringify(excerpt({ ...schema, properties: { ...properties, ...also[name] } }))}`
})
await writeFile(new URL('vapi.schema.json', import.meta.url), `{\n${definitions.join(',\n')}\n}\n`)
