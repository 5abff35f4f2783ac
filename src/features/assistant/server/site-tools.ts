import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { createLeadRequest } from '#assistant/domain/contracts.ts'
import type { TalkRequest } from '#assistant/domain/talk.ts'
import { subscription } from '#billing/domain/subscription.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { money } from '#platform/domain/text/numbers.ts'
import { DatabaseError, connectAs, runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import { cheapestFor, offerName } from '#plans/domain/minutes-offer.ts'
import { planName, plans, wholePrice } from '#plans/domain/plans.ts'
import { agentTitles } from '#agent/domain/agent-state.ts'
import { myAgent } from '#telephony/domain/agents/my-agent.ts'
import { createLead } from './create-lead.ts'
import { tool, type TalkTool } from './talk-tools.ts'

/** The signed-in customer, by the session of the request. */
export interface Customer {
  id: string
  token: string
}

/** The facts of the site's agent, and what it can do. */
export function siteTools(
  request: TalkRequest,
  customer: Customer | undefined,
  connected: Services,
  invocation: Invocation,
): TalkTool[] {
  return [
    plansForMinutes,
    leaveRequest(request, connected, invocation),
    ...(customer ? [myAccount(customer, connected)] : []),
    speakToPerson,
    urgent,
  ]
}

const plansForMinutes = tool(
  'plans_for_minutes',
  'Tells the cheapest way to a number of minutes a month, with packages, and what the plans are. Callers say: how much for 20 calls a day? | which plan do I need? | what does it cost for 300 minutes? | is there something cheaper?',
  {
    minutes: z
      .int()
      .check(
        z.minimum(0),
        z.maximum(10_000_000),
        z.describe(
          'Minutes a month: calls a day × minutes a call (2 if they do not say) × 30. Ask: How many minutes a month do you need?',
        ),
      ),
  },
  ({ minutes }) => {
    const offer = cheapestFor(minutes)
    const larger = plans.find(
      ({ priceCents, minutes: included }) => priceCents !== null && included >= minutes,
    )
    const cheapest = {
      name: offerName(offer),
      minutes: offer.minutes,
      price: offer.cents === null ? 'by contract' : `${wholePrice(offer.cents)} a month`,
    }
    return {
      said: {
        asked: minutes,
        cheapest,
        ...(larger && larger !== offer.plan
          ? {
              without_packages: {
                name: larger.name,
                minutes: larger.minutes,
                price: `${wholePrice(larger.priceCents ?? 0)} a month`,
              },
            }
          : {}),
        say: `For ${minutes} minutes a month, the cheapest is ${cheapest.name}: ${cheapest.minutes} minutes for ${cheapest.price}.`,
      },
    }
  },
)

const asked = createLeadRequest.shape
const leaveRequest = (
  { conversation, turns, line, page }: TalkRequest,
  connected: Services,
  { request, defer }: Invocation,
): TalkTool =>
  tool(
    'leave_request',
    `Passes a request on to our team: a call back, a consultation, or an offer for ${planName('enterprise')}. Nothing is booked before somebody confirms it. Callers say: call me back | book a consultation | I want an offer for our group`,
    {
      kind: z.enum(['call-back', 'enterprise']).check(z.describe('A consultation is a call-back.')),
      name: asked.name.check(z.describe('As the visitor wrote it. Ask: What is your name?')),
      email: z.optional(
        asked.email.check(
          z.describe('As the visitor wrote it. Ask: What is your email address or phone number?'),
        ),
      ),
      phone: z.optional(asked.phone.check(z.describe('As the visitor wrote it.'))),
      when: z
        .string()
        .check(
          z.trim(),
          z.minLength(1),
          z.maxLength(80),
          z.describe('What it is about, or when to call. Ask: When shall we call, and what about?'),
        ),
    },
    async ({ kind, name, email = null, phone = null, when }) => {
      const said = [...turns.map((turn) => turn.line), line].join('\n').toLowerCase()
      const digits = (text: string): string => text.replace(/\D/g, '')
      // A model that invents an address, or was told one by a page, sends nobody mail.
      if ((email && !said.includes(email)) || (phone && !digits(said).includes(digits(phone))))
        return { said: { error: 'The visitor has not written this address or number. Ask for it.' } }
      const lead = z.safeParse(createLeadRequest, {
        id: idOf([conversation, kind, email ?? '', phone ?? '', when]),
        name,
        email,
        phone,
        wish: kind === 'call-back' ? { kind, when } : { kind, need: when },
        page,
      })
      if (!lead.success) return { said: { error: 'An email address or a phone number is needed.' } }
      const keys = { ipAddress: ipAddressOf(request), subject: email ?? phone ?? '' }
      if (await takeRateLimit('lead', keys, connected))
        return { said: { error: 'Too many requests. Offer that a person answers.' }, action: 'person' }
      await createLead(lead.data, connected, { defer })
      return {
        said: { passed_on: true, say: 'Our team has your request, and will answer you.' },
        action: 'lead',
      }
    },
  )

/** Returns the same UUID for the same request, so that a turn which is asked for twice makes one lead. */
const idOf = (parts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(parts))
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5')

const myAccount = (customer: Customer, connected: Services): TalkTool =>
  tool(
    'my_account',
    'Reads the plan, minutes, last invoice and agent of the customer who is logged in. It changes nothing. Callers say: how many minutes do I have left? | what is my plan? | what was my last invoice? | is my agent live? | what is my number?',
    {},
    async () => {
      const own = connectAs(customer.token, connected.env)
      const [{ data, error }, agent] = await Promise.all([
        own.from('subscription_overview').select().eq('user_id', customer.id).maybeSingle(),
        runSql(own, 'my_agent', {}, z.nullable(myAgent)),
      ])
      if (error) throw new DatabaseError('subscription_overview', error.code)
      if (!data) return { said: { error: 'There is no subscription.' } }
      const { plan, status, minutes_used, minutes_limit, current_period_end, cancel_at, past_due_since } =
        z.parse(subscription, data)
      const facts = {
        plan,
        status,
        minutes_used,
        minutes_limit,
        ...(current_period_end && { period_ends: dayLabel(current_period_end, 'UTC') }),
        ...(cancel_at && { ends_on: dayLabel(cancel_at, 'UTC') }),
        ...(past_due_since && { unpaid_since: dayLabel(past_due_since, 'UTC') }),
        last_invoice: await lastInvoice(customer, connected),
        ...(agent && {
          agent: agentTitles[agent.state],
          numbers: agent.numbers.map(({ number }) => number),
        }),
      }
      return {
        said: {
          ...facts,
          say: `You have used ${minutes_used} of ${minutes_limit} minutes. ${facts.agent ?? ''}`.trim(),
        },
      }
    },
  )

/** Reads the last invoice at the payment provider; null if there is none or it does not answer. */
async function lastInvoice({ id }: Customer, { stripe, supabase }: Services) {
  const { data } = await supabase
    .from('user_subscriptions')
    .select('stripe_customer_id')
    .eq('user_id', id)
    .maybeSingle()
  if (!data?.stripe_customer_id) return null
  const listed = await stripe.invoices
    .list({ customer: data.stripe_customer_id, limit: 1 })
    .catch(() => ({ data: [] }))
  const invoice = listed.data[0]
  return invoice
    ? {
        date: dayLabel(new Date(invoice.created * 1000).toISOString(), 'UTC'),
        total: money(invoice.total, invoice.currency),
        status: invoice.status,
      }
    : null
}

const speakToPerson = tool(
  'speak_to_person',
  'Opens a form by which a person of our team answers. Callers say: can I speak to a person? | you charged me twice | my account is blocked | I cannot log in | this is not working',
  {},
  () => ({
    said: { form: 'open', say: 'A person answers you: please fill in the form that opens.' },
    action: 'person',
  }),
)

const urgent = tool(
  'urgent',
  'For danger to somebody, and for complaints. Callers say: there is a fire | somebody is hurt | I want to complain | this is outrageous',
  { kind: z.enum(['emergency', 'complaint']) },
  ({ kind }) =>
    kind === 'emergency'
      ? {
          said: {
            say: 'If somebody is in danger, hang up and call your local emergency number now. We cannot send help.',
          },
          action: 'emergency',
        }
      : {
          said: { say: 'I am sorry. A person looks at it: please tell them in the form that opens.' },
          action: 'complaint',
        },
)
