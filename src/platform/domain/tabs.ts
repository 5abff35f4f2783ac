/** An area whose tabs have a URL each, as `/portal/billing`. */
export interface Tabs<Tab extends string> {
  /** The path of the area. It shows the first tab. */
  index: string
  first: Tab
  /** The tabs in their order. */
  all: readonly Tab[]
  names: Readonly<Record<Tab, string>>
  pathOf(tab: Tab): string
  /** Returns the tab of an address; null if there is no such tab. */
  tabOf(address: Pick<Location, 'pathname' | 'search'>): Tab | null
}

/** Describes the tabs of an area by their names, in their order. */
export function defineTabs<Tab extends string>(
  index: string,
  names: Readonly<Record<Tab, string>>,
): Tabs<Tab> {
  const all = Object.keys(names) as Tab[]
  const [first] = all
  if (first === undefined) throw new Error(`${index} has no tabs`)
  return {
    index,
    first,
    all,
    names,
    pathOf: (tab) => `${index}/${tab}`,
    tabOf({ pathname }) {
      const rest = pathname.slice(index.length).replace(/^\/+|\/+$/g, '')
      return rest === '' ? first : (all.find((tab) => tab === rest) ?? null)
    },
  }
}
