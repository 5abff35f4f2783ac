import { CopyButton } from '#platform/ui/CopyButton.tsx'
import { fieldGrid } from '#platform/domain/app-variants.ts'

/** Shows a secret once, with a button that copies it. */
export const Secret = ({ label, value }: { label: string; value: string }) => (
  <div className={fieldGrid} role="group" aria-label={label}>
    <p>
      <b>{label}</b>
    </p>
    <p className="text-sm text-ink-2">Copy it now: it is shown this once.</p>
    <p className="max-w-form wrap-anywhere select-all">{value}</p>
    <CopyButton text={value} label={label} />
  </div>
)
