import { skeleton } from '#platform/domain/app-variants.ts'
import { frame } from '#platform/domain/variants.ts'

/** The inbox until it is there. */
export const InboxLoading = () => (
  <section className={`${frame} grid gap-3 p-pad`}>
    <div className={skeleton({ size: 'long' })} role="status" aria-label="Loading your inbox" />
  </section>
)
