import { useState } from 'react'

const kept = new Map<string, unknown>()

/** Holds a state that outlives its component, so that a half-written form is still there when its tab is shown again. */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as Value) : initial))
  const keep = (next: Value): void => {
    kept.set(name, next)
    setValue(next)
  }
  return [value, keep]
}
