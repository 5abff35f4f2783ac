import { telHref } from '#platform/domain/text/tel-href.ts'
import { textButton } from '#platform/domain/variants.ts'
import { useWritten } from '#platform/ui/onDemand.tsx'

interface Props {
  /** In E.164, or as the caller said it. */
  phone: string | null
  email?: string | null | undefined
  /** What is said if there is neither. */
  none?: string | undefined
}

/** With the tables of all countries. */
const formatNumber = async () => (await import('#agent/domain/phone.ts')).formatNumber
const place = textButton({ size: 'small', class: 'text-sm text-ink' })

/** A number to ring, or else an address to write to, of the size of a thumb. */
export function Reach({ phone, email = null, none = 'Number withheld' }: Props) {
  const written = useWritten(phone, formatNumber)
  if (phone !== null)
    return (
      <a className={`${place} whitespace-nowrap`} href={telHref(phone)}>
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
