import { owedWords } from '#billing/domain/subscription.ts'
import { planChoice } from '#plans/domain/plans.ts'
import { planCard } from '#plans/domain/plan-card.ts'
import { PlanCards } from './PlanCards.tsx'
import { button } from '#platform/domain/variants.ts'

interface Props {
  /** The minutes that the last plan used without payment. */
  owed: number
}

/** The plans that a customer whose subscription is over can buy. */
export const PlanChoices = ({ owed }: Props) => (
  <PlanCards
    title="Choose a plan"
    lead={
      <>
        <p>
          Your setup and invoices are kept, and what callers left as long as you have chosen. Your agent
          answers as soon as a plan is paid.
        </p>
        <p>{owedWords(owed)}</p>
      </>
    }
    action={(plan) => {
      const { href, action } = planChoice(plan)
      return (
        <a className={button({ kind: 'other', class: planCard.action })} href={href}>
          {action}
        </a>
      )
    }}
  />
)
