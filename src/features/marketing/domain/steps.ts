import { payablePlanIds, planName } from '#plans/domain/plans.ts'

const buyable = new Intl.ListFormat('en', { type: 'disjunction' }).format(payablePlanIds.map(planName))

/** The three steps of the specification, each with what is done in it. */
export const steps = [
  {
    name: 'Sign Up',
    text: 'Choose the plan with the minutes you need and subscribe online. Then create your account with a password.',
    list: [`Pick ${buyable}`, 'Pay by card in Secure Checkout', 'Create your account'],
  },
  {
    name: 'Configure',
    text: 'A short wizard takes you from the first voice to the first call. You can leave it and come back.',
    list: [
      'Upload a voice sample, if your plan includes it',
      'Choose an industry template',
      'Connect your first channel',
    ],
  },
  {
    name: 'Launch',
    text: 'Test the agent, then let your callers through. Setup takes 5 to 10 business days; with one of the provider’s voices your agent answers on the day.',
    list: ['Call your agent and listen', 'Send your calls to it', 'Read every call in your portal'],
  },
]
