import { useId, useRef, useState, type SubmitEvent } from 'react'
import { connectCalendar, findCalendars } from '#connections/browser/connections.ts'
import {
  endpointUrlProblem,
  type CalendarLogin as Login,
  type FoundCalendars,
} from '#connections/domain/connections.ts'
import { fieldGrid, fieldLegend, formGrid, inputBox } from '#platform/domain/app-variants.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'
import { button } from '#platform/domain/variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { Field } from '#platform/ui/fields/Field.tsx'

const inputs = [
  {
    name: 'url',
    label: 'Address of the calendar server',
    type: 'url',
    longest: 500,
    placeholder: 'https://',
  },
  { name: 'username', label: 'User name', type: 'text', longest: 200, placeholder: '' },
  { name: 'password', label: 'App password', type: 'password', longest: 200, placeholder: '' },
] as const
type Name = (typeof inputs)[number]['name']
interface Problem {
  at: Name
  text: string
}

/** Two steps that connect a calendar: find those of a login, then choose. */
export function CalendarLogin({ onChange }: { onChange: () => void }) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  const [found, setFound] = useState<Login & FoundCalendars>()

  async function find(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const fields = new FormData(event.currentTarget)
    const read = (name: Name): string => String(fields.get(name) ?? '').trim()
    const login = {
      url: read('url'),
      username: read('username'),
      password: String(fields.get('password') ?? ''),
    }
    const wrong = firstProblem(login)
    setFound(undefined)
    setProblem(wrong)
    if (wrong) return
    setBusy(true)
    const answer = await findCalendars(login)
    setBusy(false)
    if (answer.ok) setFound({ ...login, ...answer.value })
    else setProblem({ at: 'url', text: answer.failure.message })
  }

  async function connect(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    if (!found) return
    const chosen = String(new FormData(event.currentTarget).get('calendar'))
    const calendar = found.calendars.find(({ url }) => url === chosen)
    if (!calendar) return
    setBusy(true)
    const made = await connectCalendar({ ...found, ...calendar }).catch(() => undefined)
    setBusy(false)
    if (!made)
      return setProblem({
        at: 'url',
        text:
          made === null
            ? 'There are twenty already. Remove one first.'
            : 'Not connected. Check your connection and try again.',
      })
    setProblem(undefined)
    setFound(undefined)
    form.current?.reset()
    onChange()
  }

  return (
    <>
      <form className={formGrid} noValidate ref={form} onSubmit={(event) => void find(event)}>
        {inputs.map(({ name, label, type, placeholder }) => (
          <Field
            key={name}
            id={`${id}-${name}`}
            label={label}
            problem={problem?.at === name ? problem.text : undefined}
          >
            {(describedBy) => (
              <input
                className={inputBox()}
                id={`${id}-${name}`}
                name={name}
                type={type}
                autoComplete="off"
                aria-invalid={problem?.at === name}
                aria-describedby={describedBy}
                placeholder={placeholder}
              />
            )}
          </Field>
        ))}
        <button className={button({ kind: 'other' })} type="submit" aria-disabled={isBusy}>
          {isBusy && !found ? 'Looking...' : 'Find calendars'}
        </button>
      </form>
      {found && (
        <form className={formGrid} onSubmit={(event) => void connect(event)}>
          <fieldset className={fieldGrid}>
            <legend className={fieldLegend}>Write bookings into</legend>
            <Choices>
              {found.calendars.map(({ url, name }, index) => (
                <Choice
                  key={url}
                  type="radio"
                  name="calendar"
                  value={url}
                  defaultChecked={index === 0}
                  autoFocus={index === 0}
                >
                  {name}
                </Choice>
              ))}
            </Choices>
          </fieldset>
          <button className={button()} type="submit" aria-disabled={isBusy}>
            {isBusy ? 'Connecting...' : 'Connect calendar'}
          </button>
        </form>
      )}
    </>
  )
}

function firstProblem(login: Login): Problem | undefined {
  const { url, username, password } = login
  for (const { name, longest } of inputs) {
    const text = textProblem(login[name], longest)
    if (text) return { at: name, text }
  }
  const wrong = endpointUrlProblem(url)
  if (wrong) return { at: 'url', text: wrong }
  if (!username) return { at: 'username', text: 'Enter the name that you log in to your calendar with.' }
  return password
    ? undefined
    : { at: 'password', text: 'Enter the password that your calendar gave for apps.' }
}
