import { useState } from 'react'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'

interface Props {
  label: string
  /** NaN if what is typed is no number. */
  value: number
  hint?: string
  problem?: string
  onChange: (value: number) => void
}

/** A labelled field for a number. What is typed stays as it is, also if it is none. */
export function NumberInput({ value, onChange, ...rest }: Props) {
  const shown = Number.isNaN(value) ? '' : String(value)
  const [typed, setTyped] = useState({ text: shown, of: value })
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      value={Object.is(typed.of, value) ? typed.text : shown}
      onChange={(text) => {
        const of = text.trim() === '' ? NaN : Number(text)
        setTyped({ text, of })
        onChange(of)
      }}
    />
  )
}
