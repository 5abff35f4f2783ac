/** Prefix of every key in the browser's storage, as in `deskbell_faqs`. */
const storagePrefix = 'deskbell'

/** The brand. To rebrand, edit this file; nothing else names the product. */
export const site = {
  name: 'Deskbell',
  description:
    'AI voice agents that answer the phone for hotels, restaurants, clinics and every other front desk.',
  email: 'hello@deskbell.example',
  /** Shown in the footer. Replace with the registered address before going live. */
  address: ['Deskbell', '1 Example Street', '00000 Example City'],
  storagePrefix,
  /** Industry pages and footers, specification section 2. */
  copyrightYear: 2025,
} as const

/** Names a key of local or session storage, under the brand's prefix. */
export const storageKey = (name: string): string => `${storagePrefix}_${name}`
