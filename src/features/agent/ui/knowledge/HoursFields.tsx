import type { ReactNode } from 'react'
import {
  dayNames,
  knowledgeLimits,
  weekdays,
  type AgentKnowledge,
  type OpenBlock,
  type Weekday,
} from '#agent/domain/knowledge/knowledge.ts'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { button, textButton } from '#platform/domain/variants.ts'
import { fieldGrid, fieldLabel, fieldLegend, inputBox } from '#platform/domain/app-variants.ts'

type Hours = NonNullable<AgentKnowledge['hours']>

interface Props {
  knowledge: Pick<AgentKnowledge, 'hours' | 'holidays'>
  onChange: (changes: Partial<AgentKnowledge>) => void
}

const standard: OpenBlock = { from: '09:00', until: '17:00' }
const wholeDay: OpenBlock = { from: '00:00', until: '24:00' }
const workdays = weekdays.slice(0, 5)
const closed = Object.fromEntries(weekdays.map((day) => [day, []])) as unknown as Hours

/** Returns the hours with those of one day on other days, too. */
const copied = (hours: Hours, from: Weekday, to: readonly Weekday[]): Hours => ({
  ...hours,
  ...Object.fromEntries(to.map((day) => [day, hours[from]])),
})
/** Hours to begin with. */
const office = copied({ ...closed, mon: [standard] }, 'mon', workdays)

/** The opening hours of a week, several times a day, and the days that differ. */
export function HoursFields({ knowledge: { hours, holidays }, onChange }: Props) {
  if (!hours)
    return (
      <>
        <p className="text-ink-2">Without opening hours your agent says that it does not know them.</p>
        <button
          className={button({ kind: 'other' })}
          type="button"
          onClick={() => onChange({ hours: office })}
        >
          Enter opening hours
        </button>
      </>
    )
  return (
    <>
      <WeekHours hours={hours} onChange={(changed) => onChange({ hours: changed })} />
      <h3 className="text-h4">Holidays</h3>
      {holidays.map((holiday, index) => {
        const change = (changes: Partial<typeof holiday>): void =>
          onChange({ holidays: holidays.with(index, { ...holiday, ...changes }) })
        return (
          <fieldset className={fieldGrid} key={index}>
            <legend className={fieldLegend}>{holiday.name || `Holiday ${index + 1}`}</legend>
            <div className="grid grid-cols-[minmax(0,1fr)_9.5rem] gap-3">
              <TextInput
                label="Name"
                value={holiday.name}
                longest={knowledgeLimits.name}
                onChange={(name) => change({ name })}
              />
              <label className={`${fieldGrid} grid-cols-1 ${fieldLabel}`}>
                Day
                <input
                  className={inputBox({ class: 'text-base/[1.5] font-normal' })}
                  type="date"
                  value={holiday.date}
                  onChange={({ target }) => target.value && change({ date: target.value })}
                />
              </label>
            </div>
            <Blocks name="Open" blocks={holiday.blocks} onChange={(blocks) => change({ blocks })} />
            <button
              className={textButton({ class: 'text-sm' })}
              type="button"
              onClick={() => onChange({ holidays: holidays.toSpliced(index, 1) })}
            >
              Remove {holiday.name || 'this holiday'}
            </button>
          </fieldset>
        )
      })}
      <button
        className={button({ kind: 'other' })}
        type="button"
        disabled={holidays.length >= knowledgeLimits.holidays}
        onClick={() => {
          const date = new Date().toISOString().slice(0, 10)
          onChange({ holidays: [...holidays, { date, name: '', blocks: [] }] })
        }}
      >
        Add a holiday
      </button>
    </>
  )
}

/** The hours of each day of a week. */
export const WeekHours = ({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) => (
  <>
    <div>
      {weekdays.map((day) => (
        <Blocks
          key={day}
          name={dayNames[day]}
          blocks={hours[day]}
          onChange={(blocks) => onChange({ ...hours, [day]: blocks })}
        >
          {day === 'mon' && (
            <>
              <Press onPress={() => onChange(copied(hours, day, workdays))}>Copy to weekdays</Press>
              <Press onPress={() => onChange(copied(hours, day, weekdays))}>Same every day</Press>
            </>
          )}
        </Blocks>
      ))}
    </div>
    <p className="text-sm text-ink-2">A time that ends before it begins lasts past midnight.</p>
  </>
)

/** @param props.label what the button is called, if its text alone does not say it */
const Press = ({
  label,
  onPress,
  children,
}: {
  label?: string
  onPress: () => void
  children: ReactNode
}) => (
  <button className={textButton({ class: 'text-sm' })} type="button" aria-label={label} onClick={onPress}>
    {children}
  </button>
)

interface BlocksProps {
  name: string
  blocks: readonly OpenBlock[]
  onChange: (blocks: OpenBlock[]) => void
  /** Further buttons. */
  children?: ReactNode
}

function Blocks({ name, blocks, onChange, children }: BlocksProps) {
  const isWholeDay = blocks.length === 1 && blocks[0]?.from === '00:00' && blocks[0].until === '24:00'
  return (
    <div
      className="grid items-start gap-x-3 gap-y-1 border-b py-1.5 min-[30rem]:grid-cols-[7rem_1fr]"
      role="group"
      aria-label={name}
    >
      <span className="leading-12 font-semibold">{name}</span>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {blocks.length === 0 && <span className="leading-12 text-ink-2">Closed</span>}
        {isWholeDay && (
          <>
            <span className="leading-12">Open 24 hours</span>
            <Press label={`Enter times on ${name}`} onPress={() => onChange([standard])}>
              Enter times
            </Press>
          </>
        )}
        {(isWholeDay ? [] : blocks).map((block, index) => (
          <span className="flex w-full flex-wrap items-center gap-x-2.5 gap-y-1" key={index}>
            {(['from', 'until'] as const).map((end) => (
              <input
                key={end}
                className={inputBox({
                  class:
                    'w-auto! min-w-0 flex-[1_1_7rem] px-2.5! [&::-webkit-calendar-picker-indicator]:ml-1',
                })}
                type="time"
                aria-label={`${name} ${end}`}
                value={block[end] === '24:00' ? '00:00' : block[end]}
                onChange={({ target }) =>
                  target.value && onChange(blocks.with(index, { ...block, [end]: target.value }))
                }
              />
            ))}
            <Press
              label={`Remove ${name} ${block.from} to ${block.until}`}
              onPress={() => onChange(blocks.toSpliced(index, 1))}
            >
              Remove
            </Press>
          </span>
        ))}
        {!isWholeDay && blocks.length < knowledgeLimits.blocks && (
          <Press label={`Add a time on ${name}`} onPress={() => onChange([...blocks, standard])}>
            Add a time
          </Press>
        )}
        {!isWholeDay && (
          <Press label={`Open 24 hours on ${name}`} onPress={() => onChange([wholeDay])}>
            Open 24 hours
          </Press>
        )}
        {children}
      </div>
    </div>
  )
}
