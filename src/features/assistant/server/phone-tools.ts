import { runBookingTool } from '#bookings/server/run-booking-tool.ts'
import type { Supabase } from '#platform/server/database.ts'
import { providerTools, type AgentSpec } from '#telephony/domain/voice-line.ts'
import { tool, type TalkTool } from './talk-tools.ts'

/**
 * Returns the tools that an agent has on the phone, as a test of it has them: they say what would happen in a call, and what
 * they book is undone.
 */
export const phoneTools = (
  { account, handOver, tools }: Pick<AgentSpec, 'account' | 'handOver' | 'tools'>,
  conversation: string,
  supabase: Supabase,
): TalkTool[] => [
  tool('endCall', providerTools.endCall, {}, () => ({
    said: { say: 'Goodbye.' },
    action: 'end_call',
  })),
  ...(handOver
    ? [
        tool('transferCall', providerTools.transferCall, {}, () => ({
          said: { say: `In a call, I would put you through to ${handOver} now.` },
          action: 'transfer',
        })),
      ]
    : []),
  ...tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: { ...parameters },
    async run(given: unknown) {
      const call = { account, call: `talk:${conversation}`, caller: null, isTrial: true }
      return { said: await runBookingTool(name, given, call, supabase, Date.now()) }
    },
  })),
]
