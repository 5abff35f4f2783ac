import { useState } from 'react'
import { button } from '#platform/domain/variants.ts'
import { fieldGrid } from '#platform/domain/app-variants.ts'

/** Shows a secret once, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<boolean | null>(null)

  async function copy(): Promise<void> {
    setCopied(
      await navigator.clipboard.writeText(value).then(
        () => true,
        () => false,
      ),
    )
  }

  return (
    <div className={fieldGrid} role="group" aria-label={label}>
      <p>
        <b>{label}</b>
      </p>
      <p className="text-sm text-ink-2">Copy it now: it is shown this once.</p>
      <p className="max-w-form wrap-anywhere select-all">{value}</p>
      <button
        className={button({ kind: 'other', size: 'small', class: 'justify-self-start' })}
        type="button"
        onClick={() => void copy()}
      >
        Copy
      </button>
      <p className="text-sm" role="status">
        {copied === true && 'Copied.'}
        {copied === false && 'Select the text above and copy it.'}
      </p>
    </div>
  )
}
