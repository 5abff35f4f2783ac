import { useState, type ComponentProps } from 'react'
import { TextInput } from '#agent/ui/TextInput.tsx'

interface Props<Value> extends Pick<
  ComponentProps<typeof TextInput>,
  'label' | 'hint' | 'rows' | 'maxLength' | 'placeholder' | 'inputMode'
> {
  /** The saved value as it is typed. */
  known: string
  parse: (typed: string) => { value: Value } | { problem: string }
  save: (value: Value) => void
}

/** A text field that is saved on blur, if what is typed is valid and new. */
export function SavedField<Value>({ known, parse, save, ...rest }: Props<Value>) {
  const [typed, setTyped] = useState(known)
  const [problem, setProblem] = useState<string>()

  function leave(): void {
    const parsed = parse(typed)
    if ('problem' in parsed) return setProblem(parsed.problem)
    if (JSON.stringify(parsed) !== JSON.stringify(parse(known))) save(parsed.value)
  }

  return (
    <TextInput
      {...rest}
      value={typed}
      problem={problem}
      onChange={(text) => {
        setTyped(text)
        setProblem(undefined)
      }}
      onBlur={leave}
    />
  )
}
