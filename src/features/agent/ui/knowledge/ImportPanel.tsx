import { useEffect, useEffectEvent, useId, useRef, useState, type FormEvent } from 'react'
import { forgetWebsite, keptWebsite, readAndKeep } from '#agent/browser/website.ts'
import {
  importMaxLength,
  proposalKey,
  proposalsIn,
  proposalText,
  takeOver,
  type Known,
  type Proposal,
} from '#agent/domain/knowledge/import.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'
import { useKept } from '#platform/ui/fields/useKept.ts'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { buttonRow, formGrid } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

interface Props {
  userId: string
  known: Known
  onTakeOver: (known: Known) => void
  /** Is called once every suggestion has been added or left out. */
  onSettled?: () => void
}

/** In characters. */
const addressMaxLength = 2_000

type Source =
  { status: 'none' | 'reading' } | { status: 'failed'; problem: string } | { status: 'read'; text: string }

/** Suggests entries from a web page or a text. Nothing is taken over before the customer has confirmed it. */
export function ImportPanel({ userId, known, onTakeOver, onSettled }: Props) {
  const [website] = useState(() => keptWebsite(userId))
  const [address, setAddress] = useKept(`${userId}:import_address`, website?.address ?? '')
  const [pasted, setPasted] = useKept(`${userId}:import_text`, '')
  const [source, setSource] = useState<Source>(
    website?.text ? { status: 'read', text: website.text } : { status: 'none' },
  )
  const [leftOut, setLeftOut] = useKept<readonly string[]>(`${userId}:import_left_out`, [])
  const found = useRef<HTMLParagraphElement>(null)
  const proposals =
    source.status === 'read'
      ? proposalsIn(source.text, known).filter((each) => !leftOut.includes(proposalKey(each)))
      : []

  async function read(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (source.status === 'reading') return
    if (!address.trim() && !pasted.trim())
      return setSource({ status: 'failed', problem: 'Enter a web address, or paste a text.' })
    // The fields say so.
    if (textProblem(address, addressMaxLength) ?? textProblem(pasted, importMaxLength)) return
    setLeftOut([])
    await readBoth()
  }

  async function readBoth(): Promise<void> {
    setSource({ status: 'reading' })
    const page = address.trim() ? await readAndKeep(userId, address.trim()) : undefined
    if (page && !page.ok) return setSource({ status: 'failed', problem: page.failure.message })
    const text = [pasted, page?.value.text].filter(Boolean).join('\n\n')
    if (proposalsIn(text, known).length === 0) forgetWebsite(userId)
    setSource({ status: 'read', text })
  }
  /** Reads a website that setup has named, if it was left before its text was there. */
  const goOn = useEffectEvent(() => {
    if (website?.text === null) void readBoth()
  })
  useEffect(() => goOn(), [])

  /** The pressed button goes with its entry, so the focus goes to what is left. */
  const decide = (chosen: readonly Proposal[], run: () => void): void => {
    run()
    found.current?.focus()
    if (chosen.length < proposals.length) return
    forgetWebsite(userId)
    onSettled?.()
  }
  const take = (chosen: readonly Proposal[]): void =>
    decide(chosen, () => onTakeOver(takeOver(chosen, known)))

  return (
    <>
      <form className={formGrid} onSubmit={(event) => void read(event)} noValidate>
        <TextInput
          label="Your website"
          hint="The page with your prices, your opening hours or your FAQ."
          inputMode="url"
          placeholder="www.example.com"
          longest={addressMaxLength}
          value={address}
          onChange={setAddress}
        />
        <details open={pasted !== ''}>
          <summary className="min-h-11 content-center">Paste a text instead</summary>
          <div className="mt-3">
            <TextInput
              label="Text"
              hint="A price list, a leaflet or an email."
              rows={4}
              longest={importMaxLength}
              value={pasted}
              onChange={setPasted}
            />
          </div>
        </details>
        <Problem>{source.status === 'failed' && source.problem}</Problem>
        <button
          className={proposals.length > 0 ? button({ kind: 'other' }) : button()}
          type="submit"
          aria-busy={source.status === 'reading'}
        >
          {source.status === 'reading' ? 'Reading...' : 'Get suggestions'}
        </button>
      </form>
      <p role="status" tabIndex={-1} ref={found}>
        {source.status === 'read' && foundText(proposals.length)}
      </p>
      {proposals.length > 0 && (
        <>
          <ul className="border-t" data-proposals>
            {proposals.map((proposal) => (
              <ProposalRow
                key={proposalKey(proposal)}
                proposal={proposal}
                onAdd={() => take([proposal])}
                onLeaveOut={() => decide([proposal], () => setLeftOut([...leftOut, proposalKey(proposal)]))}
              />
            ))}
          </ul>
          <button
            className={button({ class: 'justify-self-start' })}
            type="button"
            onClick={() => take(proposals)}
          >
            Add all
          </button>
        </>
      )}
    </>
  )
}

const foundText = (count: number): string =>
  count === 0
    ? 'There is nothing more in it that your agent does not know. What you wrote yourself stays as it is.'
    : count === 1
      ? 'One suggestion. Check it, and add it.'
      : `${count} suggestions. Check them, and add those that are right.`

interface RowProps {
  proposal: Proposal
  onAdd: () => void
  onLeaveOut: () => void
}

function ProposalRow({ proposal, onAdd, onLeaveOut }: RowProps) {
  const id = useId()
  const { title, text } = proposalText(proposal)
  return (
    <li className="grid items-start gap-x-6 gap-y-2 border-b py-3 min-[30rem]:grid-cols-[1fr_auto]">
      <p className="grid wrap-anywhere">
        <b id={id}>{title}</b>
        <span>{text}</span>
      </p>
      <div className={buttonRow}>
        <button
          className={button({ kind: 'other', size: 'small' })}
          type="button"
          aria-describedby={id}
          onClick={onAdd}
        >
          Add
        </button>
        <button
          className={textButton({ class: 'text-sm' })}
          type="button"
          aria-describedby={id}
          onClick={onLeaveOut}
        >
          Leave out
        </button>
      </div>
    </li>
  )
}
