import { useEffect, useState } from 'react'
import { onUse } from '#platform/browser/loading.ts'
import { textButton } from '#platform/domain/variants.ts'

interface Props {
  /** In E.164, or as the caller said it. */
  phone: string | null
  email?: string | null | undefined
  /** What is said if there is neither. */
  none?: string | undefined
}

const place = textButton({ size: 'small', class: 'text-sm text-ink' })

/** A number to ring, or else an address to write to, of the size of a thumb. */
export function Reach({ phone, email = null, none = 'Number withheld' }: Props) {
  const [written, setWritten] = useState(phone)
  useEffect(() => {
    let isGone = false
    // The tables of all countries are loaded for it; until then the number stands as it is.
    void onUse(
      import('#agent/domain/phone.ts'),
      ({ formatNumber }) => !isGone && setWritten(phone && formatNumber(phone)),
    )
    return () => void (isGone = true)
  }, [phone])
  if (phone !== null)
    return (
      <a className={`${place} whitespace-nowrap`} href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
        {written}
      </a>
    )
  if (email === null) return <span>{none}</span>
  return (
    <a className={place} href={`mailto:${email}`}>
      {email}
    </a>
  )
}
