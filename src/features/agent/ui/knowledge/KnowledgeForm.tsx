import { useEffect, type ReactNode } from 'react'
import { noteShown, noteUnsaved } from '#platform/browser/storage/unsaved.ts'
import { useKept } from '#platform/ui/fields/useKept.ts'
import { firstWords } from '#agent/domain/disclosure.ts'
import { knowledgeLimits, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type * as phones from '#agent/domain/phone.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { BusinessNameField } from './BusinessNameField.tsx'
import { Section } from './FormSection.tsx'
import { HoursFields } from './HoursFields.tsx'
import { LanguageFields } from './LanguageFields.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
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
  /** The numbers that lead back to the agent: no person has them. */
  loops: readonly (string | null)[]
  phone: typeof phones
  onChange: (changes: Partial<AgentKnowledge>) => void
}

/** All that a customer teaches the agent. Every change is reported at once. */
export function KnowledgeForm(props: Props) {
  const { userId, knowledge, languages, business, greeting, isRecorded, loops, phone, onChange } = props
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
  return (
    <>
      <Section title="The business">
        <BusinessNameField />
        <TextInput label="What it does" rows={4} {...text('about')} />
        <TextInput label="Address" rows={2} {...text('address')} />
        <SelectInput
          label="Time zone"
          value={knowledge.timeZone}
          options={timeZones(knowledge.timeZone)}
          onChange={(timeZone) => onChange({ timeZone })}
        />
      </Section>
      <Section title="Opening hours">
        <HoursFields knowledge={knowledge} onChange={onChange} />
      </Section>
      <Section title="Services and prices">
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
      </Section>
      <Section title="Questions and answers">
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
      </Section>
      <Section title="What to do with">
        <TextInput
          label="Bookings"
          hint="What to ask for, and what to promise."
          {...instruction('bookings')}
        />
        <TextInput label="Complaints" {...instruction('complaints')} />
        <TextInput label="Emergencies" {...instruction('emergencies')} />
      </Section>
      <Section title="Handing over">
        <PhoneInput
          name={`${userId}:transfer`}
          label="Number of a person"
          hint="Calls are put through to it. Without one, your agent takes a message."
          value={knowledge.transfer.number}
          refused={loops}
          phone={phone}
          onChange={(number) => onChange({ transfer: { ...knowledge.transfer, number } })}
        />
        <SelectInput
          label="Who answers first"
          value={knowledge.transfer.first}
          options={[
            ['agent', 'The agent, always'],
            ['staff', 'A person during opening hours, else the agent'],
          ]}
          onChange={(first) => onChange({ transfer: { ...knowledge.transfer, first } })}
        />
      </Section>
      <Section title="Languages and first words">
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
      </Section>
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

interface PhoneProps {
  /** Names it in this page. */
  name: string
  label: string
  hint: string
  value: string | null
  refused: readonly (string | null)[]
  phone: typeof phones
  onChange: (value: string | null) => void
}

/** A phone number that calls are put through to. What is typed is only taken over once it is a number, or nothing. */
function PhoneInput({ name, label, hint, value, refused, phone, onChange }: PhoneProps) {
  const parse = (text: string) => phone.parseTyped(text, refused, navigator.language, 'called')
  const shown = value === null ? '' : phone.formatNumber(value)
  const [typed, setTyped] = useKept(name, { text: shown, of: value })
  // The other version of a conflict may have been taken.
  const text = typed.of === value ? typed.text : shown
  const parsed = parse(text)
  const problem = 'problem' in parsed ? parsed.problem : undefined
  const isValid = problem === undefined
  useEffect(() => noteUnsaved(name, isValid ? null : { label, isStuck: true }), [name, label, isValid])
  useEffect(() => noteShown(name), [name])
  return (
    <TextInput
      label={label}
      hint={hint}
      inputMode="tel"
      placeholder="+46 8 123 45 67"
      value={text}
      problem={problem}
      onChange={(next) => {
        const read = parse(next)
        const number = 'value' in read ? read.value : value
        setTyped({ text: next, of: number })
        if (number !== value) onChange(number)
      }}
    />
  )
}

const timeZones = (chosen: string): [string, string][] =>
  [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
    zone,
    zone.replaceAll('_', ' '),
  ])
