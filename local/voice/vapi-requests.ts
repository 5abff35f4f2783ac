import * as z from 'zod/mini'
import { voiceModels } from '#telephony/domain/voice-models.ts'

// The bodies of requests that Vapi's API takes. It refuses fields that a strict object does not name.

const text = z.string()
const bag = z.record(z.string(), z.unknown())
const optional = z.optional
/** Takes a value away. The SDK's types do not allow it, the API does. */
const removable = <Schema extends z.ZodMiniType>(schema: Schema) => optional(z.nullable(schema))

const server = z.strictObject({
  url: optional(z.url()),
  credentialId: optional(text),
  timeoutSeconds: optional(z.number().check(z.minimum(1), z.maximum(300))),
  staticIpAddressesEnabled: optional(z.boolean()),
  headers: optional(bag),
  backoffPlan: optional(
    z.strictObject({
      type: z.enum(['fixed', 'exponential']),
      maxRetries: z.number().check(z.minimum(0), z.maximum(10)),
      baseDelaySeconds: z.number().check(z.minimum(0), z.maximum(10)),
      excludedStatusCodes: optional(z.array(z.unknown())),
    }),
  ),
})
const e164 = text.check(z.regex(/^\+[1-9]\d{5,14}$/))
const destination = z.looseObject({ type: z.enum(['number', 'sip']), number: optional(e164) })
/** What Vapi takes as the language of Deepgram's transcriber. */
const transcriberLanguages =
  'bg ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 es-LATAM et fi fr fr-CA hi hi-Latn hu id it ja ko ko-KR lt lv ms multi nl nl-BE no pl pt pt-BR ro ru sk sv sv-SE ta taq th th-TH tr uk vi zh zh-CN zh-Hans zh-Hant zh-TW'.split(
    ' ',
  )

const toolName = text.check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))
const toolMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['request-start', 'request-complete', 'request-failed']),
    content: optional(text),
  }),
  z.strictObject({
    type: z.literal('request-response-delayed'),
    content: optional(text),
    timingMilliseconds: optional(z.number().check(z.minimum(100), z.maximum(120_000))),
  }),
])
const tool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('endCall') }),
  z.strictObject({ type: z.literal('transferCall'), destinations: z.array(destination) }),
  z.strictObject({
    type: z.literal('function'),
    server: optional(server),
    messages: optional(z.array(toolMessage)),
    function: z.strictObject({
      name: toolName,
      description: optional(text),
      strict: optional(z.boolean()),
      parameters: optional(z.looseObject({ type: z.literal('object'), properties: bag })),
    }),
  }),
])
export const assistant = z.strictObject({
  name: removable(text.check(z.maxLength(40))),
  metadata: removable(bag),
  firstMessage: removable(text),
  firstMessageMode: optional(text),
  maxDurationSeconds: optional(z.number().check(z.minimum(10), z.maximum(43_200))),
  silenceTimeoutSeconds: optional(z.number().check(z.minimum(5), z.maximum(3_600))),
  endCallMessage: removable(text.check(z.maxLength(1000))),
  voicemailMessage: removable(text.check(z.maxLength(1000))),
  backgroundSound: optional(text),
  model: optional(
    z.looseObject({
      provider: z.literal('openai'),
      // Vapi knows more.
      model: z.enum(Object.keys(voiceModels)),
      reasoningEffort: optional(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
      messages: optional(z.array(z.looseObject({ role: text, content: text }))),
      tools: optional(z.array(tool)),
    }),
  ),
  voice: optional(
    z.looseObject({
      provider: z.enum(['11labs', 'azure', 'cartesia', 'deepgram', 'openai', 'playht', 'rime-ai', 'vapi']),
      voiceId: text.check(z.minLength(1)),
    }),
  ),
  transcriber: optional(
    z.looseObject({
      provider: z.literal('deepgram'),
      language: optional(z.enum(transcriberLanguages)),
    }),
  ),
  serverMessages: optional(z.array(text)),
  clientMessages: optional(z.array(text)),
  server: removable(server),
  artifactPlan: optional(
    z.looseObject({
      recordingEnabled: optional(z.boolean()),
      structuredOutputs: optional(z.array(z.looseObject({ name: text, schema: bag }))),
    }),
  ),
  analysisPlan: optional(bag),
  hooks: optional(z.array(bag)),
})

const providers = z.enum(['byo-phone-number', 'twilio', 'vonage', 'vapi', 'telnyx'])
export const numberFields = {
  provider: providers,
  name: removable(text.check(z.maxLength(40))),
  assistantId: removable(text),
  squadId: removable(text),
  server: removable(server),
  fallbackDestination: removable(destination),
  hooks: removable(z.array(bag)),
}
export const newNumber = z.discriminatedUnion('provider', [
  z.strictObject({
    ...numberFields,
    provider: z.literal('vapi'),
    numberDesiredAreaCode: optional(text.check(z.regex(/^\d{3}$/))),
  }),
  z.strictObject({
    ...numberFields,
    provider: z.literal('twilio'),
    number: e164,
    twilioAccountSid: text,
    twilioAuthToken: optional(text),
  }),
])
export const callRequest = z.strictObject({
  assistantId: optional(text),
  assistantOverrides: optional(
    z.looseObject({
      metadata: optional(bag),
      variableValues: optional(bag),
      firstMessage: optional(text),
      maxDurationSeconds: optional(z.number().check(z.minimum(10), z.maximum(43_200))),
    }),
  ),
  transport: optional(z.looseObject({ provider: z.enum(['daily', 'vapi.websocket']) })),
  phoneNumberId: optional(text),
  customer: optional(z.looseObject({ number: e164 })),
  name: optional(text.check(z.maxLength(40))),
})
