import { useState } from 'react'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import {
  countryOf,
  forwardingCases,
  forwardingCountries,
  type ForwardingCase,
} from '#telephony/domain/forwarding.ts'
import { stack } from '#platform/domain/app-variants.ts'

const caseNames: Record<ForwardingCase, string> = {
  all: 'All calls',
  busy: 'Calls while your line is busy',
  unanswered: 'Calls that nobody answers',
}
const regions = new Intl.DisplayNames('en', { type: 'region' })

/** Says what is dialled to send calls to a number, by country and carrier. */
export function ForwardingHelp({ number }: { number: string }) {
  const [country, setCountry] = useState(() => countryOf(navigator.language))
  const [chosen, setChosen] = useState('')
  const carrier = country.carriers.find(({ name }) => name === chosen) ?? country.carriers[0]!
  const [source = '', page = ''] = carrier.source.split('; ').slice(-2).toReversed()
  return (
    <div className={`${stack} mt-3`}>
      <p className="text-sm text-ink-2">
        Dial one of these on the phone whose calls your agent is to take. Never forward to this number from
        the number of the person who takes over: the call would go in a circle.
      </p>
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
          label="Carrier"
          value={carrier.name}
          options={country.carriers.map(({ name }) => [name, name] as const)}
          onChange={setChosen}
        />
      </div>
      <dl className="text-sm">
        {forwardingCases.map((each) => {
          const codes = carrier.codes[each]
          return (
            <div className="border-t py-2" key={each}>
              <dt>{caseNames[each]}</dt>
              <dd className="wrap-anywhere">
                {codes ? (
                  <>
                    <b>{codes.begin(number)}</b>, to undo it {codes.end}
                  </>
                ) : (
                  'Ask your carrier'
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {carrier.note && <p className="text-sm text-ink-2">{carrier.note}</p>}
      <p className="text-sm text-ink-2">
        Source:{' '}
        {source.startsWith('http') ? (
          <a href={source} rel="noreferrer" target="_blank">
            {new URL(source).hostname}
          </a>
        ) : (
          source
        )}
        {page && ` and ${page}`}
      </p>
    </div>
  )
}
