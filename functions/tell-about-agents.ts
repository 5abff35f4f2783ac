import { scheduled } from '#platform/server/http.ts'
import { tellAboutAgents } from '#admin/server/tell-about-agents.ts'

/** Runs every ten minutes: mails the operator about agents that wait for a hand. */
export default scheduled('tell-about-agents', tellAboutAgents)

export const config = { schedule: '*/10 * * * *' }
