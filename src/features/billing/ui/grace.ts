import { graceWords, type Subscription } from '#billing/domain/subscription.ts'

/** Says how a renewal that is owed stands now; null if none is owed. */
export const graceNow = (subscription: Subscription): string | null => graceWords(subscription, Date.now())
