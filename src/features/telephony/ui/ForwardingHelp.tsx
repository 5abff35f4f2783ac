import { useEffect, useState, type ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { CopyButton } from '#platform/ui/CopyButton.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import {
  carriersFor,
  countryOf,
  forwardingCountries,
  type ForwardingCase,
} from '#telephony/domain/forwarding.ts'
import { buttonRow, stack } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'

const caseNames: Record<ForwardingCase, string> = {
  unanswered: 'Calls that nobody answers',
  busy: 'Calls while your line is busy',
  all: 'All calls',
}
const regions = new Intl.DisplayNames('en', { type: 'region' })

/** Apple's phones dial no code with * or # from a link (Apple URL Scheme Reference, "Phone Links"). */
const dialsCodes = (): boolean => !/iPhone|iPad|iPod|Macintosh/.test(navigator.userAgent)

/** Says what is dialled to send calls to a number, by country and carrier. */
export function ForwardingHelp({ number, userId }: { number: string; userId: string }) {
  const settings = useStore($agentSettings)
  useEffect(() => void loadAgentSettings(userId), [userId])
  const trade = settings.status === 'ready' ? settings.settings.industry_template : null
  const [country, setCountry] = useState(() => countryOf(navigator.language))
  const [chosen, setChosen] = useState('')
  const carriers = carriersFor(country, trade)
  const carrier = carriers.find(({ name }) => name === chosen) ?? carriers[0]!
  const [source = '', page = ''] = carrier.source.split('; ').slice(-2).toReversed()
  return (
    <div className={`${stack} mt-3`}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-x-6 gap-y-3">
        <SelectInput
          label="Country"
          value={country.code}
          options={forwardingCountries.map(({ code }) => [code, regions.of(code)!] as const)}
          onChange={(code) => {
            setCountry(forwardingCountries.find((each) => each.code === code)!)
            setChosen('')
          }}
        />
        <SelectInput
          label="Your phone"
          value={carrier.name}
          options={carriers.map(({ name }) => [name, name] as const)}
          onChange={setChosen}
        />
      </div>
      {Object.keys(carrier.codes).length > 0 && (
        <>
          <p className="text-ink-2">Dial one of these on the phone whose calls your agent is to take.</p>
          <dl>
            {(Object.keys(caseNames) as ForwardingCase[]).map((each) => {
              const codes = carrier.codes[each]
              return (
                <div className="grid gap-2 border-t py-3" key={each}>
                  <dt className="text-sm text-ink-2">{caseNames[each]}</dt>
                  {codes ? (
                    <>
                      <Code code={codes.begin(number)} name={caseNames[each]} phone={carrier.phone}>
                        <b>{codes.begin(number)}</b>
                      </Code>
                      <Code code={codes.end} name={`${caseNames[each]}, to undo it`} phone={carrier.phone}>
                        <span className="text-sm text-ink-2">To undo it</span> {codes.end}
                      </Code>
                    </>
                  ) : (
                    <dd>Ask your carrier</dd>
                  )}
                </div>
              )
            })}
          </dl>
        </>
      )}
      {carrier.note && <p className="text-ink-2">{carrier.note}</p>}
      <p className="text-sm text-ink-2">
        Never forward to {number} from the number that your agent transfers calls to: the call would go in a
        circle.
      </p>
      {source && (
        <p className="text-[0.8125rem] text-ink-2">
          Source of the codes:{' '}
          {source.startsWith('http') ? (
            <a href={source} rel="noreferrer" target="_blank">
              {new URL(source).hostname}
            </a>
          ) : (
            source
          )}
          {page && ` and ${page}`}
        </p>
      )}
    </div>
  )
}

interface CodeProps {
  code: string
  /** What the code is for. */
  name: string
  phone: 'mobile' | 'desk'
  children: ReactNode
}

/** A code with what spares its typing: on a phone that dials it, a press. */
const Code = ({ code, name, phone, children }: CodeProps) => (
  <dd className={`${buttonRow} justify-between`}>
    <span className="wrap-anywhere">{children}</span>
    <span className="flex flex-wrap items-center gap-3">
      {phone === 'mobile' && dialsCodes() && (
        <a
          className={button({ kind: 'other', size: 'small', class: 'not-pointer-coarse:hidden' })}
          href={`tel:${code.replaceAll(' ', '').replaceAll('#', '%23')}`}
        >
          Dial<span className="sr-only"> {name}</span>
        </a>
      )}
      <CopyButton text={code} label={name} />
    </span>
  </dd>
)
