import { onDemand } from '#platform/ui/onDemand.tsx'

/** The import of what a website says, which is loaded with the part that shows it. */
export const ImportPanel = onDemand(
  async () => (await import('#agent/ui/knowledge/ImportPanel.tsx')).ImportPanel,
  <p className="text-ink-2">Loading</p>,
)
