import { useId, useState } from 'react'
import type { QueuedAgent } from '#admin/browser/agents.ts'
import { agentStateTexts } from '#admin/domain/agents.ts'
import { planName } from '#plans/domain/plans.ts'
import { userPath } from '#admin/domain/users.ts'
import { AgentDetails } from './AgentDetails.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { badge, button } from '#platform/domain/variants.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const agentColumns = ['Agent', 'Plan', 'State', 'Number', 'Action'] as const

interface Props {
  agent: QueuedAgent
  /** The details are read again when this changes. */
  version: unknown
  onChange: () => void
}

/** One agent of the queue. What its customer chose opens below it. */
export function AgentRow({ agent, version, onChange }: Props) {
  const { account, email, business, plan, state, error, numbers } = agent
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const name = business ?? email ?? 'a deleted account'
  const shown = agentStateTexts[state]
  return (
    <>
      <tr>
        <td className={recordCell.text}>
          <b>{business ?? email ?? 'Deleted account'}</b>
          {business !== null && email !== null && (
            <>
              <br />
              <span className="text-ink-2">{email}</span>
            </>
          )}
          {error !== null && state === 'needs_attention' && <p className={problemLine}>{error}</p>}
        </td>
        <td>{plan === null ? 'No plan' : planName(plan)}</td>
        <td className={recordCell.end}>
          <span className={badge({ tone: shown.tone })}>{shown.name}</span>
        </td>
        <td>
          {numbers.length > 0 ? (
            numbers.map((number) => (
              <span className="block whitespace-nowrap" key={number}>
                {number}
              </span>
            ))
          ) : (
            <span className="text-ink-2">No number</span>
          )}
        </td>
        <td className={recordCell.action}>
          <button
            className={button({ kind: 'other', size: 'small' })}
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Close' : 'Open'}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className="bg-panel" id={id}>
          <td className={recordCell.wide} colSpan={agentColumns.length}>
            <AgentDetails
              account={account}
              name={name}
              version={version}
              accountPath={userPath}
              onChange={onChange}
            />
          </td>
        </tr>
      )}
    </>
  )
}
