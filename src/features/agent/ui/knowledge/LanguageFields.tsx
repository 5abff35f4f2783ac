import { supportsCodeSwitching, locales } from '#agent/domain/locales.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { button } from '#platform/domain/variants.ts'

interface Props {
  chosen: readonly string[]
  /** How many languages the plan has. */
  most: number
  onChange: (chosen: string[]) => void
}

/** The languages that an agent speaks. Several are those only that it understands beside each other. */
export function LanguageFields({ chosen, most, onChange }: Props) {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const optionsOf = (offered: readonly string[], taken: string): [string, string][] =>
    [...new Set([...offered, taken])].map((locale) => [locale, names.of(locale)!])
  const further = locales.filter(supportsCodeSwitching)
  const isMixed = chosen.length > 1
  const next = further.find((locale) => !chosen.includes(locale))
  const isAlone = !chosen.every(supportsCodeSwitching)
  return (
    <>
      {chosen.map((locale, index) => (
        <SelectInput
          key={index}
          label={index === 0 ? 'Language' : `Language ${index + 1}`}
          value={locale}
          options={
            index === 0
              ? optionsOf(isMixed ? further : locales, locale)
              : [...optionsOf(further, locale), ['', 'None']]
          }
          hint={
            most > 1 && index === 0 && isAlone
              ? 'Your agent cannot speak other languages beside this one.'
              : undefined
          }
          onChange={(picked) =>
            onChange([...new Set(picked ? chosen.with(index, picked) : chosen.toSpliced(index, 1))])
          }
        />
      ))}
      {chosen.length < most && next && !isAlone && (
        <button
          className={button({ kind: 'other' })}
          type="button"
          onClick={() => onChange([...chosen, next])}
        >
          Add a language
        </button>
      )}
    </>
  )
}
