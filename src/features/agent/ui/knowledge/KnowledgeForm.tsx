import type { ReactNode } from 'react'
import { firstWords } from '#agent/domain/disclosure.ts'
import { knowledgeLimits, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { summarize } from '#agent/domain/knowledge/sections.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { BusinessNameField } from './BusinessNameField.tsx'
import { HoursFields } from './HoursFields.tsx'
import { LanguageFields } from './LanguageFields.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { Folded } from '#platform/ui/Folded.tsx'
import { entryGrid, problemLine } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'

interface Props {
  userId: string
  knowledge: AgentKnowledge
  /** How many languages the plan has. */
  languages: number
  business: string | null
  greeting: string | null
  /** Whether calls are recorded. */
  isRecorded: boolean
  onChange: (changes: Partial<AgentKnowledge>) => void
}

/** All that a customer teaches the agent. Every change is reported at once. */
export function KnowledgeForm(props: Props) {
  const { userId, knowledge, languages, business, greeting, isRecorded, onChange } = props
  const text = (name: 'about' | 'address') => ({
    value: knowledge[name],
    longest: knowledgeLimits[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const instruction = (name: 'bookings' | 'complaints' | 'emergencies') => ({
    value: knowledge[name],
    longest: knowledgeLimits.instruction,
    rows: 3,
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const { leftOut } = agentPrompt({ business, template: null, greeting, knowledge, isRecorded })
  const parts = summarize(knowledge, business)
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return (
    <>
      <Folded title="The business" {...parts.business} holds={[`${userId}:business_name`]}>
        <BusinessNameField />
        <TextInput label="What it does" rows={4} {...text('about')} />
        <TextInput label="Address" rows={2} {...text('address')} />
        <SelectInput
          label="Time zone"
          value={knowledge.timeZone}
          options={timeZones(knowledge.timeZone)}
          onChange={(timeZone) => onChange({ timeZone })}
        />
      </Folded>
      <Folded title="Opening hours" {...parts.hours}>
        <HoursFields knowledge={knowledge} onChange={onChange} />
      </Folded>
      <Folded title="Services and prices" {...parts.services}>
        <Entries
          entries={knowledge.services}
          most={knowledgeLimits.services}
          nameOf={({ name }) => name || 'this service'}
          add="Add a service"
          empty={{ name: '', price: '', minutes: null }}
          onChange={(services) => onChange({ services })}
        >
          {(service, change) => (
            <>
              <TextInput
                label="Service"
                value={service.name}
                longest={knowledgeLimits.name}
                onChange={(name) => change({ ...service, name })}
              />
              <TextInput
                label="Price"
                placeholder="from €40"
                value={service.price}
                longest={knowledgeLimits.name}
                onChange={(price) => change({ ...service, price })}
              />
              <TextInput
                label="Length in minutes"
                inputMode="numeric"
                value={service.minutes === null ? '' : String(service.minutes)}
                onChange={(typed) => {
                  const minutes = Number(typed.replace(/\D/g, ''))
                  change({ ...service, minutes: minutes > 0 ? Math.min(minutes, 1_440) : null })
                }}
              />
            </>
          )}
        </Entries>
      </Folded>
      <Folded title="Questions and answers" {...parts.answers}>
        {leftOut > 0 && (
          <p className={problemLine} role="status">
            This is more than an agent can keep in mind: the last {leftOut} entries are left out.
          </p>
        )}
        <Entries
          entries={knowledge.answers}
          most={knowledgeLimits.answers}
          nameOf={({ question }) => question || 'this question'}
          add="Add a question"
          empty={{ question: '', answer: '', origin: 'written' as 'written' | 'imported' }}
          onChange={(answers) => onChange({ answers })}
        >
          {(entry, change) => (
            <>
              <TextInput
                label="Question"
                value={entry.question}
                longest={knowledgeLimits.question}
                onChange={(question) => change({ ...entry, question, origin: 'written' })}
              />
              <TextInput
                label="Answer"
                rows={3}
                value={entry.answer}
                longest={knowledgeLimits.answer}
                onChange={(answer) => change({ ...entry, answer, origin: 'written' })}
              />
            </>
          )}
        </Entries>
      </Folded>
      <Folded title="Instructions" {...parts.instructions}>
        <TextInput
          label="Bookings"
          hint="What to ask for, and what to promise."
          {...instruction('bookings')}
        />
        <TextInput label="Complaints" {...instruction('complaints')} />
        <TextInput label="Emergencies" {...instruction('emergencies')} />
      </Folded>
      <Folded
        title="Languages and greeting"
        state="done"
        summary={`Speaks ${new Intl.ListFormat('en').format(knowledge.languages.map((each) => names.of(each) ?? each))}. Begins: “${firstWords(knowledge, { business, greeting, isRecorded })}”`}
      >
        <LanguageFields
          chosen={knowledge.languages}
          most={languages}
          onChange={(chosen) => onChange({ languages: chosen })}
        />
        <SelectInput
          label="How it says that an AI is speaking"
          value={knowledge.disclosure}
          options={(['assistant', 'agent', 'automated'] as const).map((disclosure) => [
            disclosure,
            firstWords({ ...knowledge, disclosure }, { business, greeting: '', isRecorded: false }),
          ])}
          hint="Callers must be told. Your greeting follows it."
          onChange={(disclosure) => onChange({ disclosure })}
        />
        <p className="text-sm">
          <b>Your agent begins:</b> “{firstWords(knowledge, { business, greeting, isRecorded })}”
        </p>
      </Folded>
    </>
  )
}

interface EntriesProps<Entry> {
  entries: readonly Entry[]
  most: number
  nameOf: (entry: Entry) => string
  add: string
  empty: Entry
  onChange: (entries: Entry[]) => void
  children: (entry: Entry, change: (entry: Entry) => void) => ReactNode
}

/** A list of entries, each of which can be changed and removed. */
function Entries<Entry>({ entries, most, nameOf, add, empty, onChange, children }: EntriesProps<Entry>) {
  return (
    <>
      {entries.map((entry, index) => (
        <fieldset className={entryGrid} key={index}>
          <legend className="sr-only">{nameOf(entry)}</legend>
          {children(entry, (changed) => onChange(entries.with(index, changed)))}
          <button
            className={textButton({ class: 'justify-self-start text-sm' })}
            type="button"
            onClick={() => onChange(entries.toSpliced(index, 1))}
          >
            Remove<span className="sr-only"> {nameOf(entry)}</span>
          </button>
        </fieldset>
      ))}
      <button
        className={button({ kind: 'other' })}
        type="button"
        disabled={entries.length >= most}
        onClick={() => onChange([...entries, empty])}
      >
        {add}
      </button>
    </>
  )
}

const timeZones = (chosen: string): [string, string][] =>
  [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
    zone,
    zone.replaceAll('_', ' '),
  ])
