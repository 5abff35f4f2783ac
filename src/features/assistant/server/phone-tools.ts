import { providerTools, type AgentSpec } from '#telephony/domain/voice-line.ts'
import { tool, type TalkTool } from './talk-tools.ts'

/** Returns the tools that an agent has on the phone, as a test of it has them: they say what would happen in a call. */
export const phoneTools = ({ handOver, tools }: Pick<AgentSpec, 'handOver' | 'tools'>): TalkTool[] => [
  tool('endCall', providerTools.endCall, {}, () => ({
    said: { say: 'Goodbye.' },
    action: 'end_call',
  })),
  ...(handOver
    ? [
        tool('transferCall', providerTools.transferCall, {}, () => ({
          said: { say: 'In a call, I would put you through now.' },
          action: 'transfer',
        })),
      ]
    : []),
  ...tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: { ...parameters },
    run: () => ({ said: { error: 'This is a test: it works in a call.' } }),
  })),
]
