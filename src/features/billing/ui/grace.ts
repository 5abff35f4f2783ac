import { graceWords, type Subscription } from '#billing/domain/subscription.ts'

/** Returns the sentences about an owed renewal as it stands now; null if none is owed. */
export const graceNow = (subscription: Subscription): string | null => graceWords(subscription, Date.now())
