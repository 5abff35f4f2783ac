import { planChoice } from '#plans/domain/plan-choice.ts'
import { PlanCards } from './PlanCards.tsx'

/** The plans that a customer whose subscription is over can buy. */
export const PlanChoices = () => (
  <PlanCards
    title="Choose a plan"
    lead="Your setup, calls and invoices are kept. Your agent answers as soon as a plan is paid."
    action={(plan) => {
      const { href, action } = planChoice(plan)
      return (
        <a className="btn two" href={href}>
          {action}
        </a>
      )
    }}
  />
)
