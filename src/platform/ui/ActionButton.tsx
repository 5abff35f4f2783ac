import type { ReactNode } from 'react'
import { button } from '#platform/domain/variants.ts'

interface Props {
  /** The whole name, if the words alone do not say what it is done to. */
  label?: string
  isWorking: boolean
  onPress: () => void
  children: ReactNode
}

/** A small button that another may take the place of. The second click of a double click, which would meet that one, does nothing. */
export const ActionButton = ({ label, isWorking, onPress, children }: Props) => (
  <button
    className={button({ kind: 'other', size: 'small' })}
    type="button"
    aria-label={label}
    aria-disabled={isWorking}
    onClick={({ detail }) => detail < 2 && onPress()}
  >
    {children}
  </button>
)
