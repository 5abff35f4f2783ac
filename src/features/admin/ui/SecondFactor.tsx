import { useEffect, useState, type SubmitEvent } from 'react'
import { enterCode, openSecondFactor, type SecondFactor as Factor } from '#account/browser/second-factor.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

interface Props {
  /** Is called once the session has its second factor. */
  onPassed: () => void
}

type Opened = { status: 'opening' } | { status: 'failed' } | { status: 'ready'; factor: Factor }

/** Asks for the code of an authenticator app before the admin area. At the first visit the app is connected. */
export function SecondFactor({ onPassed }: Props) {
  const [opened, setOpened] = useState<Opened>({ status: 'opening' })
  const [tries, setTries] = useState(0)
  useEffect(
    () =>
      takeAnswer(openSecondFactor(), (factor) =>
        setOpened(factor ? { status: 'ready', factor } : { status: 'failed' }),
      ),
    [tries],
  )
  if (opened.status !== 'ready')
    return (
      <Waiting
        failed={opened.status === 'failed'}
        onRetry={() => {
          setOpened({ status: 'opening' })
          setTries(tries + 1)
        }}
      />
    )
  return <CodeForm factor={opened.factor} onPassed={onPassed} />
}

function CodeForm({ factor: { id, enrolment }, onPassed }: Props & { factor: Factor }) {
  const [isChecking, setChecking] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isChecking) return
    const input = event.currentTarget.querySelector('input')
    const code = String(new FormData(event.currentTarget).get('code')).replace(/\s/g, '')
    setChecking(true)
    const found = /^\d{6}$/.test(code)
      ? await enterCode(id, code)
      : 'Enter the six digits that your app shows.'
    setChecking(false)
    setProblem(found)
    if (found === undefined) onPassed()
    else input?.focus()
  }

  return (
    <section>
      <div className={`${frame} ${gridRow}`}>
        <div className={cell({ span: 8, room: 'tall', class: 'grid content-start gap-4' })}>
          <h1 className="text-mid">{enrolment ? 'Connect an app' : 'Enter your code'}</h1>
          <p className="text-ink-2">
            {enrolment
              ? 'The admin area needs a second factor. Scan this picture with an authenticator app, or type the key into it, then enter the code that it shows.'
              : 'Your authenticator app shows a code of six digits for this site.'}
          </p>
          {enrolment && (
            <div className="flex flex-wrap items-center gap-4">
              {/* It is dark on white in both schemes, as cameras expect it. */}
              <img
                className="bg-[#fff] p-2.5"
                src={enrolment.qrCode}
                alt="The key as a QR code"
                width="220"
                height="220"
              />
              <p className="text-sm">
                <span className="text-label text-ink-2 uppercase">Key</span>
                <br />
                <b className="wrap-anywhere" data-key>
                  {enrolment.secret.match(/.{1,4}/g)?.join(' ')}
                </b>
              </p>
            </div>
          )}
          <form
            className="mt-4 grid max-w-form gap-6"
            noValidate
            aria-busy={isChecking}
            onSubmit={(event) => void submit(event)}
          >
            <FormField
              id="code"
              label="Code"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              readOnly={isChecking}
              onChange={() => setProblem(undefined)}
              problem={problem}
              isAlert
            />
            <button className={button()} type="submit" aria-disabled={isChecking}>
              {isChecking ? 'Checking...' : 'Continue'}
            </button>
          </form>
          {!enrolment && (
            <p className="text-sm text-ink-2">Lost the device? Whoever runs the database can remove it.</p>
          )}
        </div>
      </div>
    </section>
  )
}
