import { scheduled } from '#platform/server/http.ts'
import { updateAgents } from '#telephony/server/update-agent.ts'

/** Runs every minute: makes, changes and removes agents at the voice provider as their accounts want. */
export default scheduled('update-agents', updateAgents)

export const config = { schedule: '* * * * *' }
