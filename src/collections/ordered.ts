import { getCollection, type CollectionEntry } from 'astro:content'

type Ordered = 'faq' | 'guides' | 'industries' | 'legal' | 'voices'

/** Returns a collection sorted by `order`. Entries without an `order` come last, sorted by id. */
export async function ordered<Name extends Ordered>(name: Name): Promise<CollectionEntry<Name>[]> {
  const entries = await getCollection(name)
  return entries.sort((a, b) => a.data.order - b.data.order || a.id.localeCompare(b.id))
}
