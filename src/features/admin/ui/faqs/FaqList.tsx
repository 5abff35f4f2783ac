import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import type { FaqEntry } from '#admin/domain/content/admin-data.ts'
import { FaqRow } from './FaqRow.tsx'

interface Props {
  faqs: readonly FaqEntry[]
  /** The entry whose row is replaced by the form. */
  editedId: string | undefined
  form: ReactNode
  onEdit: (faq: FaqEntry) => void
  onDelete: (faq: FaqEntry) => void
}

/** Height of a closed row in pixels, until it is measured. */
const rowHeight = 69

/** The list, which may have thousands of entries: only those near the viewport are rendered. One is open at a time. */
export function FaqList({ faqs, editedId, form, onEdit, onDelete }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [offset, setOffset] = useState(0)
  const [openId, setOpenId] = useState<string | null>(null)
  useLayoutEffect(() => {
    const measure = (): void => {
      if (list.current) setOffset(Math.round(list.current.getBoundingClientRect().top + scrollY))
    }
    measure()
    // Content that opens or closes above the list moves it.
    const watched = new ResizeObserver(measure)
    watched.observe(document.body)
    return () => watched.disconnect()
  }, [])
  const edited = faqs.findIndex(({ id }) => id === editedId)
  const virtual = useWindowVirtualizer({
    count: faqs.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => faqs[index]?.id ?? index,
    // The form stays rendered when it is scrolled away, so that it keeps the focus.
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return edited < 0 || near.includes(edited) ? near : [...near, edited].sort((a, b) => a - b)
    },
  })

  return (
    <ul
      className="relative [box-shadow:0_1px_var(--color-line)]"
      aria-label="Questions"
      ref={list}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const faq = faqs[index]
        return (
          faq && (
            <li
              className="absolute inset-x-0 top-0"
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={faqs.length}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              {index === edited ? (
                form
              ) : (
                <FaqRow
                  faq={faq}
                  isOpen={faq.id === openId}
                  onView={() => setOpenId(faq.id === openId ? null : faq.id)}
                  onEdit={() => onEdit(faq)}
                  onDelete={() => onDelete(faq)}
                />
              )}
            </li>
          )
        )
      })}
    </ul>
  )
}
