import type { Vapi } from '@vapi-ai/server-sdk'
import { supportsCodeSwitching, languageOf } from '#agent/domain/locales.ts'
import { callSentiments, promises } from '#calls/domain/calls.ts'
import { lineWords } from '#telephony/domain/line-words.ts'
import { promptOf, withoutTemplates, type AgentSpec, type AgentTool } from '#telephony/domain/voice-line.ts'
import { voiceModels, type VoiceModel, type VoiceModelName } from '#telephony/domain/voice-models.ts'
import { findings } from '#telephony/server/line-message.ts'
import { findingsName } from './vapi-hooks.ts'

const standardVoice = 'vapi:Elliot'

/** Returns a URL of ours with the credential that signs requests to it. */
export type ServerOf = (url: string) => Vapi.Server

/** The documentation has the field, the types do not (https://docs.vapi.ai/assistants/call-timeout-settings). */
interface Assistant extends Vapi.CreateAssistantDto {
  silenceTimeoutSeconds: number
}

/** Returns an agent as Vapi stores it. */
export function assistantOf(spec: AgentSpec, modelName: VoiceModelName, server: ServerOf): Assistant {
  const { effort }: VoiceModel = voiceModels[modelName]
  const [main] = spec.languages
  const isMixed = spec.languages.length > 1 && spec.languages.every(supportsCodeSwitching)
  return {
    name: spec.account,
    metadata: { account: spec.account },
    firstMessage: withoutTemplates(spec.greeting),
    maxDurationSeconds: spec.maxSeconds,
    silenceTimeoutSeconds: spec.silenceSeconds,
    backgroundSound: 'off',
    model: {
      provider: 'openai',
      model: modelName,
      reasoningEffort: effort,
      messages: [{ role: 'system', content: promptOf(spec) }],
      tools: toolsOf(spec, server),
    },
    voice: voiceOf(spec.voice ?? standardVoice),
    transcriber: {
      provider: 'deepgram',
      model: 'nova-3',
      language: (isMixed ? 'multi' : languageOf(main)) as Vapi.DeepgramTranscriberLanguage,
    },
    serverMessages: ['end-of-call-report', 'tool-calls'],
    // Without the plan a report is sent once. The types want an object, the API a word.
    server: {
      ...server(spec.reportsTo),
      backoffPlan: { type: 'exponential' as never, maxRetries: 10, baseDelaySeconds: 2 },
    },
    artifactPlan: {
      recordingEnabled: spec.keepRecordings,
      loggingEnabled: false,
      pcapEnabled: false,
      structuredOutputs: [{ name: findingsName, type: 'ai', schema: findingsSchema }],
    },
    analysisPlan: { successEvaluationPlan: { enabled: true, rubric: 'PassFail' } },
  }
}

const findingsSchema: Vapi.JsonSchema = {
  type: 'object',
  properties: {
    about: { type: 'string', description: findings.about },
    outcome: { type: 'string', description: findings.outcome },
    sentiment: { type: 'string', enum: [...callSentiments] },
    promised: { type: 'string', enum: [...promises, 'nothing'], description: findings.promised },
  },
}

/** @param name the voice's provider and its id, such as `11labs:sarah` */
function voiceOf(name: string): Vapi.CreateAssistantDtoVoice {
  const [, maker, voiceId] = /^([^:]*):(.*)$/.exec(name) ?? [undefined, '11labs', name]
  // The second version of Vapi's own voices finds the language of what it says; the first speaks English if it is not told.
  const model = maker === '11labs' ? { model: 'eleven_flash_v2_5' } : maker === 'vapi' ? { version: '2' } : {}
  return { provider: maker, voiceId, ...model } as Vapi.CreateAssistantDtoVoice
}

/** Returns the schema of a tool's arguments with the words that Vapi's API knows. It refuses others, such as maxLength. */
function parametersOf({ properties, required }: AgentTool['parameters']): Vapi.OpenAiFunctionParameters {
  const known = Object.entries(properties as Record<string, Vapi.JsonSchema>).map(
    ([name, { type, description, enum: values, format, pattern }]) =>
      [name, { type, description, enum: values, format, pattern }] as const,
  )
  return { type: 'object', properties: Object.fromEntries(known), required: required as string[] }
}

/** Returns the tools with what callers hear of them. Where nothing is said, Vapi says words of its own, in English. */
function toolsOf({ handOver, languages, tools }: AgentSpec, server: ServerOf) {
  const words = lineWords(languages)
  return [
    {
      type: 'endCall' as const,
      messages: [{ type: 'request-start' as const, content: words.goodbye }],
    },
    ...(handOver
      ? [
          {
            type: 'transferCall' as const,
            destinations: [{ type: 'number' as const, number: handOver, message: words.handOver }],
          },
        ]
      : []),
    ...tools.map((tool) => ({
      type: 'function' as const,
      messages: [
        { type: 'request-start' as const, content: '' },
        { type: 'request-response-delayed' as const, content: words.wait, timingMilliseconds: 1_000 },
      ],
      function: {
        name: tool.name,
        description: tool.description,
        parameters: parametersOf(tool.parameters),
      },
      server: server(tool.url),
    })),
  ]
}
