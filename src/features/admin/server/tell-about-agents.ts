import * as z from 'zod/mini'
import { agentsPath, agentStates, agentStateTexts } from '#admin/domain/agents.ts'
import { runSql } from '#platform/server/database.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { site } from '#site'

const waitingAgents = z.array(
  z.object({
    account: z.string(),
    state: z.enum(agentStates),
    /** Null if the account is deleted. */
    email: z.nullable(z.string()),
  }),
)
type WaitingAgents = z.infer<typeof waitingAgents>

/**
 * Mails the operator about agents that wait for a hand, once each. An agent that was set up by hand waits again when its
 * customer changes something.
 * @returns the accounts of these agents
 * @throws DatabaseError, MailError; the next run then mails about them
 */
export async function tellAboutAgents(connected: Services): Promise<string[]> {
  const { supabase, env } = connected
  const agents = await runSql(supabase, 'claim_waiting_agents', {}, waitingAgents)
  const accounts = agents.map(({ account }) => account)
  if (agents.length === 0) return accounts
  try {
    const mail = waitingMail(agents, env.PUBLIC_SITE_URL)
    await sendMail({ kind: 'for the operator', to: env.PUBLIC_ADMIN_EMAIL, ...mail }, connected)
  } catch (error) {
    await runSql(supabase, 'release_waiting_agents', { p_accounts: accounts }, z.unknown())
    throw error
  }
  return accounts
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
