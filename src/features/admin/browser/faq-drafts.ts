import { storageKey } from '#site'
import { faqDrafts, type FaqDrafts } from '#admin/domain/admin-data.ts'

const key = storageKey('faq_drafts')
const none: FaqDrafts = { added: null, edited: null }

/** What this tab remembers of FAQs that are being written: a reload, or a session that ends, does not take it away. */
export function readFaqDrafts(): FaqDrafts {
  try {
    return faqDrafts.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
  } catch {
    return none
  }
}

export function keepFaqDrafts(drafts: FaqDrafts): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(drafts))
  } catch {
    // No room, or no storage: the page has them.
  }
}
