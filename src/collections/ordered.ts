import { getCollection, type CollectionEntry } from 'astro:content'

type Ordered = 'faq' | 'industries' | 'legal' | 'voices'

/** A collection in its editors' order; entries without one come last, by name of their file. */
export async function ordered<Name extends Ordered>(name: Name): Promise<CollectionEntry<Name>[]> {
  const entries = await getCollection(name)
  return entries.sort((a, b) => a.data.order - b.data.order || a.id.localeCompare(b.id))
}
