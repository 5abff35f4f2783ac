import { useEffect, useMemo, useRef, useState, type ChangeEvent } from 'react'
import { listAgents, readFailingWebhooks, type AgentCounts } from '#admin/browser/agents.ts'
import {
  agentsPath,
  agentStates,
  agentStateTexts,
  stateOfAddress,
  type AgentState,
} from '#admin/domain/agents.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { agentColumns, AgentRow } from './AgentRow.tsx'
import { failingWebhookColumns, FailingWebhookRow } from './FailingWebhookRow.tsx'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { GivenUpJobs, givenUpJobs } from './GivenUpJobs.tsx'
import { JumpLinks } from '#admin/ui/lists/JumpLinks.tsx'
import { PhoneNumbers } from './PhoneNumbers.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { finder } from '#admin/ui/lists/variants.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { fillFrame } from '#platform/domain/app-variants.ts'
import { useAddress } from '#admin/ui/useAddress.ts'

/** The search starts after this pause in typing. */
const pauseMs = 250

const queue = { id: 'queue', name: 'Queue' }
const numbers = { id: 'numbers', name: 'Phone numbers' }
const webhooks = { id: 'webhooks', name: 'Webhooks that fail' }

const optionLabel = (state: AgentState, count: number | undefined): string =>
  agentStateTexts[state].name + (count === undefined ? '' : `, ${grouped(count)}`)

/** The customers' agents by state, the company's phone numbers, the customers' webhooks that fail, and jobs that were given up. */
export function AgentsTab() {
  const { rows } = useAdminData()
  const [query, setQuery] = useState<{ search: string; state: AgentState | null }>({
    search: '',
    state: stateOfAddress(location),
  })
  const [search, setSearch] = useState('')
  const [counts, setCounts] = useState<AgentCounts>({})
  /** Counts the changes that concern both lists. */
  const [changes, setChanges] = useState(0)
  const changed = (): void => setChanges((count) => count + 1)
  // The rows are read again when the admin returns to this page: another tab may have changed something.
  const version = useMemo(() => ({ rows, changes }), [rows, changes])

  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])
  const type = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setSearch(target.value)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => setQuery((before) => ({ ...before, search: target.value })), pauseMs)
  }
  useAddress('agents', () => setQuery({ ...query, state: stateOfAddress(location) }))

  async function read(page: number) {
    const found = await listAgents(query.search, query.state, page)
    if (found) setCounts(found.counts)
    return found
  }
  const isFiltered = query.search.trim() !== '' || query.state !== null
  return (
    <section>
      <div className={fillFrame}>
        <TabHead name="Agents">
          <form className={finder} role="search" onSubmit={(event) => event.preventDefault()}>
            <FormField
              id="find-agent"
              label="Find by email or business"
              type="search"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={search}
              onChange={type}
            />
            <SelectInput
              label="State"
              value={query.state ?? ''}
              options={[
                ['', 'All'],
                ...agentStates.map((state) => [state, optionLabel(state, counts[state])] as const),
              ]}
              onChange={(chosen) => {
                const state = chosen || null
                history.replaceState(null, '', agentsPath(state))
                setQuery({ ...query, state })
              }}
            />
          </form>
        </TabHead>
        <JumpLinks tab="agents" parts={[queue, numbers, webhooks, givenUpJobs]} />
        <RecordTable
          part={queue}
          version={version}
          empty={
            isFiltered
              ? 'No agent matches. Search for another part of the address, or look at all states.'
              : 'No agents yet. Whoever pays and finishes the setup gets one.'
          }
          columns={agentColumns}
          source={query}
          read={read}
          row={(agent) => <AgentRow key={agent.account} agent={agent} version={version} onChange={changed} />}
        />
        <PhoneNumbers part={numbers} version={version} onChange={changed} />
        <RecordTable
          part={webhooks}
          version={version}
          empty="None. Whatever the customers have connected takes our messages."
          columns={failingWebhookColumns}
          read={readFailingWebhooks}
          row={(webhook) => <FailingWebhookRow key={webhook.id} webhook={webhook} />}
        />
        <GivenUpJobs version={version} />
      </div>
    </section>
  )
}
