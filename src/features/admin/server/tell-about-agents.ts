import * as z from 'zod/mini'
import { agentsPath, agentStates, agentStateTexts } from '#admin/domain/agents.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'
import { site } from '#site'

const agentsToTell = z.array(
  z.object({
    account: z.string(),
    state: z.enum(agentStates),
    /** Null if the account is deleted. */
    email: z.nullable(z.string()),
  }),
)
type WaitingAgents = z.infer<typeof agentsToTell>

/**
 * Mails the operator about agents that wait for a hand, once each. An agent that was set up by hand waits again when its
 * customer changes something.
 */
export const waitingAgents: JobKind = {
  kind: 'waiting agents',
  everyMinutes: 10,
  async run(_, { supabase, env }) {
    const agents = await runSql(supabase, 'waiting_agents', {}, agentsToTell)
    if (agents.length === 0) return
    const mail = waitingMail(agents, env.PUBLIC_SITE_URL)
    const told = { kind: 'for the operator', to: env.PUBLIC_ADMIN_EMAIL, ...mail } as const
    await sendMail({ ...told, idempotencyKey: `agents:${contentKey(agents, mail)}` }, { env, supabase })
    const accounts = { p_accounts: agents.map(({ account }) => account) }
    await runSql(supabase, 'note_agents_told', accounts, z.unknown())
  },
}

function waitingMail(agents: WaitingAgents, siteUrl: string): { subject: string; text: string } {
  return {
    subject: `${site.name}: ${agents.length} ${agents.length === 1 ? 'agent is' : 'agents are'} waiting for you`,
    text: `${agents
      .map(({ account, email, state }) => `- ${email ?? account}: ${agentStateTexts[state].name}`)
      .join('\n')}

What to do next: see what each customer has chosen, and set up the agent:
${siteUrl}${agentsPath(null)}
`,
  }
}
