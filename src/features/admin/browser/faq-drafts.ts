import { storageKey } from '#site'
import { faqDrafts, type FaqDrafts } from '#admin/domain/admin-data.ts'
import { tabStorage } from '#platform/browser/storage.ts'

const key = storageKey('faq_drafts')

/** Reads the drafts of this tab. They survive a reload and the end of the session. */
export function readFaqDrafts(): FaqDrafts {
  try {
    return faqDrafts.parse(JSON.parse(tabStorage.read(key) ?? ''))
  } catch {
    return { added: null, edited: null }
  }
}

export const storeFaqDrafts = (drafts: FaqDrafts): boolean => tabStorage.write(key, JSON.stringify(drafts))
