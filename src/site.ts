/** The prefix of every key in the browser's storage, as in `deskbell_faqs`. */
const storagePrefix = 'deskbell'

/** The brand's words. docs/rebrand.md lists the other places of a rebrand. */
export const site = {
  name: 'Deskbell',
  description:
    'AI voice agents that answer the phone for hotels, restaurants, clinics and every other front desk.',
  email: 'hello@deskbell.example',
  /** The number of an agent that visitors may ring, such as `+12125550134`; empty if there is none. */
  phone: '' as string,
  /** The postal address in the footer. Replace it with the registered address before going live. */
  address: ['Deskbell', '1 Example Street', '00000 Example City'],
  /** How many days after the first payment a customer may have it back; 0 promises nothing. */
  guaranteeDays: 0 as number,
  storagePrefix,
  /**
   * Whether each sentence of the site needs its proof in docs/claims.md (`proven`), or the claims are the operator’s `own`: then they
   * are only counted.
   */
  claims: 'proven' as 'proven' | 'own',
  /** The year in the footers and on industry pages (specification, section 2). */
  copyrightYear: 2025,
} as const

/** Returns a key for local or session storage, with the brand's prefix. */
export const storageKey = (name: string): string => `${storagePrefix}_${name}`
