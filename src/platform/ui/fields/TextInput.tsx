import {
  useId,
  type ComponentProps,
  type HTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
} from 'react'
import { lengthNote, textProblem } from '#platform/domain/text/typed-text.ts'
import { Field } from './Field.tsx'
import { inputBox } from '#platform/domain/app-variants.ts'

interface Props extends Pick<ComponentProps<typeof Field>, 'hintAttributes' | 'footer'> {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  /** How many characters can be saved. A longer text stays as it is, and the field says so. */
  longest?: number
  /** More than one makes a text area. */
  rows?: number
  hint?: ReactNode
  problem?: string
  placeholder?: string
  autoComplete?: InputHTMLAttributes<HTMLInputElement>['autoComplete']
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  onBlur?: () => void
}

/** A labelled text field whose every change is reported. */
export function TextInput(props: Props) {
  const {
    label,
    value,
    onChange,
    longest = Infinity,
    rows = 1,
    hint,
    hintAttributes,
    footer,
    ...rest
  } = props
  const { problem = textProblem(value, longest), ...attributes } = rest
  const id = useId()
  return (
    <Field
      id={id}
      label={label}
      hint={lengthNote(value, longest) ?? hint}
      hintAttributes={hintAttributes}
      problem={problem}
      footer={footer}
    >
      {(describedBy) => {
        const control = {
          ...attributes,
          className: inputBox({ kind: rows > 2 ? 'area' : rows > 1 ? 'short' : 'line' }),
          id,
          value,
          'aria-describedby': describedBy,
          'aria-invalid': problem ? true : undefined,
          onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
        }
        return rows > 1 ? <textarea rows={rows} {...control} /> : <input type="text" {...control} />
      }}
    </Field>
  )
}
