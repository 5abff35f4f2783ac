import { billingMails, graces } from '#billing/server/billing-mails.ts'
import { dunningMails } from '#billing/server/dunning.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { callMails } from '#telephony/server/call-mail.ts'

/** All kinds of jobs. */
export const jobKinds: readonly JobKind[] = [billingMails, graces, dunningMails, callMails]
