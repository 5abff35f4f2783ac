import { useRef, useState } from 'react'
import { mountCardField, type CardField } from '#checkout/browser/card-field.ts'

/**
 * Loads the provider's card field into the element with this id.
 * @param onChange is called when somebody types into the field
 */
export function useCardField(id: string, onChange: () => void) {
  const [field, setField] = useState<CardField | 'loading' | 'unavailable'>('loading')
  const loading = useRef<Promise<CardField | undefined>>(undefined)

  const mount = async (): Promise<CardField | undefined> => {
    setField('loading')
    const container = document.getElementById(id)
    const mounted = container ? await mountCardField(container, onChange) : undefined
    if (!mounted) loading.current = undefined
    setField(mounted ?? 'unavailable')
    return mounted
  }
  /** Returns the field once it is loaded; undefined if it cannot be, after which it may be tried again. */
  const load = (): Promise<CardField | undefined> => (loading.current ??= mount())

  return { field, load }
}
