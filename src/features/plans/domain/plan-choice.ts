import { isPayablePlanId, type Plan } from './plans.ts'
import { checkoutFor, routes } from '#platform/domain/routes.ts'

/** Returns the link and the text of a plan's button. A plan without a price leads to the contact page. */
export const planChoice = ({ id, name }: Plan) =>
  isPayablePlanId(id)
    ? { href: checkoutFor(id), action: `Choose ${name}` }
    : { href: routes.contact, action: 'Contact us' }
