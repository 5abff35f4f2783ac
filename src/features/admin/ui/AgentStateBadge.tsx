import { agentStateTexts, type AgentState } from '#admin/domain/agents.ts'

export const AgentStateBadge = ({ state }: { state: AgentState }) => {
  const { name, tone } = agentStateTexts[state]
  return <span className={`badge ${tone}`}>{name}</span>
}
