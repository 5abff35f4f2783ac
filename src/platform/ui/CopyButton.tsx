import { useState } from 'react'
import { button } from '#platform/domain/variants.ts'

/** @param props.label names what is copied, for screen readers */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState<boolean>()

  async function copy(): Promise<void> {
    setCopied(
      await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ),
    )
  }

  return (
    <>
      <button
        className={button({ kind: 'other', size: 'small', class: 'justify-self-start' })}
        type="button"
        onClick={() => void copy()}
      >
        Copy<span className="sr-only"> {label}</span>
      </button>
      <span className="text-sm" role="status">
        {isCopied && 'Copied.'}
        {isCopied === false && 'Select the text and copy it.'}
      </span>
    </>
  )
}
