import { useEffect, type ComponentProps } from 'react'
import { useStore } from '@nanostores/react'
import {
  $typed,
  keepMine,
  saveField,
  takeTheirs,
  typeInto,
  type TypedField,
} from '#platform/browser/storage/typed-fields.ts'
import { noteShown } from '#platform/browser/storage/unsaved.ts'
import { TextInput } from './TextInput.tsx'
import { buttonRow, problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'

interface Props<Value> extends Omit<
  ComponentProps<typeof TextInput>,
  'label' | 'value' | 'onChange' | 'onBlur' | 'problem' | 'footer'
> {
  field: TypedField<Value>
  /** What is stored, as far as the page knows. */
  known: Value
}

/** A text field that is saved when it is left. What is typed stays until it is saved, also while another tab is shown. */
export function SavedField<Value>({ field, known, hint, ...rest }: Props<Value>) {
  const { name } = field
  const text = useStore($typed)[name]
  const status = text?.status
  useEffect(() => {
    const end = noteShown(name)
    return () => {
      end()
      if ($typed.get()[name]?.status === 'typed') void saveField(name)
    }
  }, [name])
  return (
    <TextInput
      {...rest}
      label={field.label}
      value={text && status !== 'saved' ? text.typed : field.text(known)}
      problem={text?.problem}
      hint={
        <>
          {status === 'saving' ? 'Saving... ' : status === 'saved' ? 'Saved. ' : ''}
          {hint}
        </>
      }
      // It is announced from the first key on.
      hintAttributes={text && { role: 'status' }}
      onChange={(typed) => typeInto(field, known, typed)}
      onBlur={() => void saveField(name)}
      footer={
        (status === 'failed' || status === 'overtaken') && (
          <div className={stack} role="alert">
            {status === 'failed' ? (
              <>
                <p className={problemLine}>Not saved. Check your connection, then try again.</p>
                <button
                  className={textButton({ class: 'text-sm' })}
                  type="button"
                  onClick={() => void saveField(name)}
                >
                  Try again
                </button>
              </>
            ) : (
              <>
                <p className={problemLine}>
                  This was changed in another tab or on another device
                  {text?.theirs ? ` to “${text.theirs}”.` : ': it is empty now.'}
                </p>
                <div className={buttonRow}>
                  <button
                    className={button({ kind: 'other', size: 'small' })}
                    type="button"
                    onClick={() => keepMine(name)}
                  >
                    Keep what is on this page
                  </button>
                  <button
                    className={button({ kind: 'other', size: 'small' })}
                    type="button"
                    onClick={() => takeTheirs(name)}
                  >
                    Take the other version
                  </button>
                </div>
              </>
            )}
          </div>
        )
      }
    />
  )
}
