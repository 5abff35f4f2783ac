import { planName, priceAmount } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { payNow, routes } from '#platform/domain/routes.ts'
import type { BillingNews, BillingState } from './billing-news.ts'
import { callsWithoutAgent } from './minutes/at-limit.ts'

/**
 * Returns the mail that tells a customer of one piece of news.
 * @param amount in cents: what an upgrade was charged, or what is owed; the other news needs none
 */
export function billingMail(
  news: BillingNews,
  now: BillingState,
  amount: number,
  siteUrl: string,
): { subject: string; text: string } {
  const name = planName(now.plan)
  const price = priceAmount(now.price ?? 0)
  const next = planName(now.next_plan ?? now.plan)
  const renewal = `${priceAmount(now.next_price ?? 0)} a month, with ${grouped(now.next_minutes ?? 0)} minutes`
  const renewsOn = dayLabel(now.period_end, 'UTC') ?? 'the end of the period'
  const endsOn = dayLabel(now.ends_at, 'UTC') ?? 'the end of the period'
  const stopsOn = dayLabel(now.grace_ends, 'UTC') ?? 'the end of the week'
  const billing = `${siteUrl}${routes.portalBilling}`
  switch (news.of) {
    case 'upgraded':
      return {
        subject: `Your plan is now ${name}`,
        text: `Your plan has changed from ${planName(news.from)} to ${name}.
${
  amount > 0
    ? `${priceAmount(amount)} was charged to your card for the rest of this period.`
    : 'Nothing was charged to your card: the difference was settled with your balance.'
}

In this period, which ends on ${renewsOn}, you have ${grouped(now.minutes)} minutes.
Your plan renews on that day: ${next}, ${renewal}.

What to do next: nothing. Your invoice and your plan are here:
${billing}
`,
      }
    case 'smaller plan noted':
      if (now.next_plan === now.plan)
        return {
          subject: `Your price changes on ${renewsOn}`,
          text: `From ${renewsOn}, your plan ${name} costs ${renewal}.
Until then you keep your price of ${price} and its minutes. Nothing is charged or refunded now.

What to do next: nothing. If you have changed your mind, press “Keep ${price} a month” here before that day:
${billing}
`,
        }
      return {
        subject: `Your plan changes to ${next} on ${renewsOn}`,
        text: `From ${renewsOn}, your plan is ${next}: ${renewal}.
Until then you keep ${name} and its minutes. Nothing is charged or refunded now.

What to do next: nothing. If you have changed your mind, press “Keep ${name}” here before that day:
${billing}
`,
      }
    case 'plan kept':
      return {
        subject: `You keep the ${name} plan`,
        text: `Your plan no longer changes on ${renewsOn}. You keep ${name}: ${renewal}.
Nothing is charged before that day.

What to do next: nothing. Your plan is here:
${billing}
`,
      }
    case 'end noted':
      return {
        subject: `Your ${name} plan ends on ${endsOn}`,
        text: `Your ${name} plan (${price} a month) ends on ${endsOn} and will not be charged again.
Until then your agent answers as before; after that it takes no more calls.
${
  now.waiting > 0
    ? `You have not paid ${priceAmount(now.waiting)} for packages of minutes yet: this is charged when the plan ends.\n`
    : ''
}
What to do next: if you want it to end, nothing. If not, press “Keep subscription” here before that day:
${billing}
`,
      }
    case 'goes on':
      return {
        subject: `Your ${name} plan continues`,
        text: `Your plan no longer ends. On ${renewsOn} it is charged again: ${next}, ${renewal}.

What to do next: nothing. Your plan is here:
${billing}
`,
      }
    case 'ended':
      return {
        subject: `Your ${name} plan has ended`,
        text: `Your ${name} plan (${price} a month) has ended${news.wasOwing ? ', because its renewal was not paid' : ''}.
Your agent takes no more calls. Your setup and invoices are kept, and what callers left as long as you have chosen.
${
  now.waiting > 0
    ? `You had not paid ${priceAmount(now.waiting)} for packages of minutes yet: this is on a last invoice.\n`
    : ''
}
What to do next: if you want your agent back, choose a plan. A phone number from us is kept
for ${now.number_days} days after the agent has stopped. Choose here:
${billing}
`,
      }
    case 'packages added': {
      const added = `${grouped(news.minutes)} minutes`
      return {
        subject: `${added} were added for ${priceAmount(news.cents)}`,
        text: `Your minutes were used up, and you have chosen to keep answering. So ${added} were added for
${priceAmount(news.cents)}. They are charged with your next invoice, on ${renewsOn} at the latest.

In this period, packages have cost ${priceAmount(now.spent)} of the ${priceAmount(now.most)} that they may cost.
Your plan is ${name}, at ${price} a month.

What to do next: nothing. If you want another spending limit, another plan, or messages instead, change it here:
${billing}
`,
      }
    }
    case 'capped':
      return {
        subject: 'Your minutes are used up, and so is your spending limit for packages',
        text: `Another package would cost more than the ${priceAmount(now.most)} that packages may cost in this period.
So your agent takes messages from now on, until the next period begins on ${renewsOn}.
Your plan is ${name}, at ${price} a month.

What to do next: if messages are enough, nothing. If not, ${
          now.most < now.ceiling
            ? 'raise the spending limit or move to a larger plan'
            : 'move to a larger plan'
        } here:
${billing}
`,
      }
    case 'stops soon':
      return {
        subject: `Your agent stops on ${stopsOn} unless you pay ${priceAmount(amount)}`,
        text: `${priceAmount(amount)} for the renewal of your ${name} plan is still not paid.
Your agent answers until ${stopsOn}, with a day’s share of your minutes for each day. If the payment is still missing then, it stops until you have paid.

What to do next: pay now, with the card that we have or with another one:
${siteUrl}${payNow}
`,
      }
    case 'stopped':
      return {
        subject: `Your agent has stopped: ${priceAmount(amount)} is not paid`,
        text: `${priceAmount(amount)} for the renewal of your ${name} plan is still not paid, so your agent has stopped.
${callsWithoutAgent}

What to do next: pay now, and your agent answers again:
${siteUrl}${payNow}
`,
      }
  }
}
