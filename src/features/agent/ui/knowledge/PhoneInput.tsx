import { useEffect } from 'react'
import type * as phones from '#agent/domain/phone.ts'
import { noteShown, noteUnsaved } from '#platform/browser/storage/unsaved.ts'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { useKept } from '#platform/ui/fields/useKept.ts'

interface PhoneProps {
  /** Names it in this page. */
  name: string
  label: string
  hint: string
  value: string | null
  refused: readonly (string | null)[]
  phone: typeof phones
  onChange: (value: string | null) => void
}

/** A phone number that calls are put through to. What is typed is only taken over once it is a number, or nothing. */
export function PhoneInput({ name, label, hint, value, refused, phone, onChange }: PhoneProps) {
  const parse = (text: string) => phone.parseTyped(text, refused, navigator.language, 'called')
  const shown = value === null ? '' : phone.formatNumber(value)
  const [typed, setTyped] = useKept(name, { text: shown, of: value })
  // The other version of a conflict may have been taken.
  const text = typed.of === value ? typed.text : shown
  const parsed = parse(text)
  const problem = 'problem' in parsed ? parsed.problem : undefined
  const isValid = problem === undefined
  useEffect(() => noteUnsaved(name, isValid ? null : { label, isStuck: true }), [name, label, isValid])
  useEffect(() => noteShown(name), [name])
  return (
    <TextInput
      label={label}
      hint={hint}
      inputMode="tel"
      placeholder="+46 8 123 45 67"
      value={text}
      problem={problem}
      onChange={(next) => {
        const read = parse(next)
        const number = 'value' in read ? read.value : value
        setTyped({ text: next, of: number })
        if (number !== value) onChange(number)
      }}
    />
  )
}
