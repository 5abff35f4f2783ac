import { useEffect, useRef, useState } from 'react'
import { useStore } from '@nanostores/react'
import { csv } from '#platform/domain/text/csv.ts'
import { dayLabel, momentLabel } from '#platform/domain/text/dates.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { grouped, money } from '#platform/domain/text/numbers.ts'
import {
  billColumns,
  billRows,
  invoiceStatusNames,
  invoiceStatusTones,
  type Invoice,
  type InvoiceLine,
  type UsedMinutes,
} from '#billing/domain/invoices.ts'
import { $invoices, readUsedMinutes, refreshInvoices, showOlderInvoices } from '#billing/browser/invoices.ts'
import { callPath } from '#platform/domain/call-path.ts'
import { saveAsFile } from '#platform/browser/save-as-file.ts'
import { dataTable, fillFrame, skeleton, stack, titleRow } from '#platform/domain/app-variants.ts'
import { badge, button, textButton, ledger } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

/** How many calls a line shows; the file has all of them. */
const mostShown = 100

/** The customer's invoices. Each opens to its lines, and each line to the calls of its time. */
export function Invoices({ userId }: { userId: string }) {
  const state = useStore($invoices)
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle')
  /** The newest of the older invoices that were asked for last. */
  const [firstAdded, setFirstAdded] = useState<number>()

  async function showOlder(shown: number): Promise<void> {
    if (older === 'loading') return
    setOlder('loading')
    const isDone = await showOlderInvoices()
    setOlder(isDone ? 'idle' : 'failed')
    if (isDone) setFirstAdded(shown)
  }

  return (
    <section aria-labelledby="invoices">
      <div className={fillFrame}>
        <div className={`${titleRow} p-pad`}>
          <h2 className="text-h4" id="invoices">
            Invoices
          </h2>
        </div>
        {state.status === 'loading' && (
          <div className="max-w-none p-pad">
            <div className={skeleton({ size: 'long' })} role="status" aria-label="Loading your invoices" />
          </div>
        )}
        {state.status === 'failed' && (
          <div className={`${stack} max-w-none p-pad`}>
            <Problem>Your invoices could not be loaded.</Problem>
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              onClick={() => void refreshInvoices()}
            >
              Try again
            </button>
          </div>
        )}
        {state.status === 'ready' && state.invoices.length === 0 && (
          <p className="max-w-none p-pad text-ink-2">
            No invoice yet. Your first one appears here once it is paid.
          </p>
        )}
        {state.status === 'ready' && state.invoices.length > 0 && (
          <table className={dataTable({ stacked: true })}>
            <caption className="sr-only">Your invoices, newest first</caption>
            <thead>
              <tr>
                {['Date', 'Number', 'Status', 'Amount', 'Details'].map((name) => (
                  <th
                    className={
                      name === 'Amount'
                        ? 'text-right text-label text-ink-2 uppercase'
                        : 'text-label text-ink-2 uppercase'
                    }
                    scope="col"
                    key={name}
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {state.invoices.map((invoice, index) => (
                <InvoiceRow
                  key={invoice.id}
                  invoice={invoice}
                  userId={userId}
                  takesFocus={index === firstAdded}
                />
              ))}
            </tbody>
          </table>
        )}
        {state.status === 'ready' && state.more && (
          <div className={`${titleRow} border-t p-pad`}>
            <p className="text-sm text-ink-2" role="status">
              {older === 'failed'
                ? 'Older invoices could not be loaded. Please try again.'
                : `The latest ${grouped(state.invoices.length)} are shown.`}
            </p>
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              aria-disabled={older === 'loading'}
              onClick={() => void showOlder(state.invoices.length)}
            >
              {older === 'loading' ? 'Loading...' : 'Show older invoices'}
            </button>
          </div>
        )}
      </div>
    </section>
  )
}

interface RowProps {
  invoice: Invoice
  userId: string
  /** Whether the focus comes here: to the first of the invoices that were just added. */
  takesFocus: boolean
}

function InvoiceRow({ invoice, userId, takesFocus }: RowProps) {
  const details = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) details.current?.focus()
  }, [takesFocus])
  const [isOpen, setOpen] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const name = invoice.number ?? 'a draft'

  async function saveCsv(): Promise<void> {
    setFailed(false)
    const used = await Promise.all(invoice.lines.map((line) => readUsedMinutes(userId, line)))
    if (used.includes(undefined)) return setFailed(true)
    const rows = billRows(invoice, (line) => used[invoice.lines.indexOf(line)] ?? [])
    saveAsFile(`invoice-${invoice.number ?? invoice.id}.csv`, csv(rows, billColumns), 'text/csv')
  }

  return (
    <>
      <tr>
        <td className="whitespace-nowrap">{dayLabel(invoice.created)}</td>
        <td className="max-md:justify-self-end">{invoice.number ?? 'Not final'}</td>
        <td>
          <span className={badge({ tone: invoiceStatusTones[invoice.status] })}>
            {invoiceStatusNames[invoice.status]}
          </span>
        </td>
        <td className="text-right max-md:justify-self-end">{money(invoice.total, invoice.currency)}</td>
        <td className="max-md:col-span-full">
          <div className="flex flex-wrap gap-3">
            <button
              className={textButton()}
              type="button"
              ref={details}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide' : 'Show'} lines<span className="sr-only"> of invoice {name}</span>
            </button>
            {invoice.pdf !== null && (
              <a className={textButton()} href={invoice.pdf}>
                PDF<span className="sr-only"> of invoice {name}</span>
              </a>
            )}
            <button className={textButton()} type="button" onClick={() => void saveCsv()}>
              CSV<span className="sr-only"> of invoice {name}</span>
            </button>
          </div>
          <Problem>{hasFailed && 'The calls could not be read. Please try again.'}</Problem>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5} className="max-md:col-span-full">
            {invoice.lines.map((line) => (
              <Line key={line.id} line={line} currency={invoice.currency} userId={userId} />
            ))}
            <dl className={`${ledger} text-sm`}>
              {invoice.tax !== 0 && (
                <div>
                  <dt>Tax</dt>
                  <dd>{money(invoice.tax, invoice.currency)}</dd>
                </div>
              )}
              <div>
                <dt>Total</dt>
                <dd>
                  <b>{money(invoice.total, invoice.currency)}</b>
                </dd>
              </div>
            </dl>
          </td>
        </tr>
      )}
    </>
  )
}

type Used = { status: 'closed' | 'loading' | 'failed' } | { status: 'ready'; rows: UsedMinutes[] }

/** One line of an invoice. On request it shows what took minutes in the line's time. */
function Line({ line, currency, userId }: { line: InvoiceLine; currency: string; userId: string }) {
  const [used, setUsed] = useState<Used>({ status: 'closed' })
  const isTime = line.start !== line.end

  async function open(): Promise<void> {
    if (used.status === 'loading') return
    setUsed({ status: 'loading' })
    const rows = await readUsedMinutes(userId, line)
    setUsed(rows ? { status: 'ready', rows } : { status: 'failed' })
  }

  return (
    <>
      <dl className={`${ledger} text-sm`}>
        <div>
          <dt>
            {line.description}
            {isTime && (
              <span className="text-ink-2">
                {' '}
                {dayLabel(line.start)} to {dayLabel(line.end)}
              </span>
            )}
          </dt>
          <dd>{money(line.amount, currency)}</dd>
        </div>
      </dl>
      {isTime && line.amount > 0 && (
        <p>
          <button
            className={textButton()}
            type="button"
            aria-expanded={used.status === 'ready'}
            aria-disabled={used.status === 'loading'}
            onClick={() => (used.status === 'ready' ? setUsed({ status: 'closed' }) : void open())}
          >
            {used.status === 'ready' ? 'Hide the calls' : 'Show the calls of this period'}
          </button>
        </p>
      )}
      <Problem>{used.status === 'failed' && 'The calls could not be read. Please try again.'}</Problem>
      {used.status === 'ready' && <UsedList rows={used.rows} />}
    </>
  )
}

/** The calls of a line's time, each with a link to it, and their sum. */
function UsedList({ rows }: { rows: readonly UsedMinutes[] }) {
  const sum = rows.reduce((all, { minutes }) => all + minutes, 0)
  if (rows.length === 0) return <p className="text-sm text-ink-2">No calls in this period.</p>
  return (
    <table className={dataTable({ stacked: true })}>
      <caption className="sr-only">The calls of this period, oldest first</caption>
      <thead>
        <tr>
          {['When', 'Caller', 'About', 'Length', 'Minutes'].map((name) => (
            <th className="text-label text-ink-2 uppercase last:text-right" scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, mostShown).map(({ created_at, minutes, reason, seconds, call }, index) => (
          <tr key={index}>
            <td>{momentLabel(created_at)}</td>
            <td className="max-md:justify-self-end">
              {call ? (call.phone_number ?? 'Number withheld') : ''}
            </td>
            <td className="max-md:col-span-full">
              {call ? <a href={callPath(call.id)}>{call.about ?? 'No summary'}</a> : reason}
            </td>
            <td>{seconds === null ? '' : durationLabel(seconds)}</td>
            <td className="text-right max-md:justify-self-end">{minutes} min</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {rows.length > mostShown && (
          <tr>
            <td colSpan={5} className="text-ink-2">
              {grouped(rows.length - mostShown)} more in the CSV file
            </td>
          </tr>
        )}
        <tr>
          <th scope="row" colSpan={4}>
            Minutes used
          </th>
          <td className="text-right">
            <b>{grouped(sum)} min</b>
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
