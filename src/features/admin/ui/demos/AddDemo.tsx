import { useState, type SubmitEvent } from 'react'
import { textLimits, cleanText } from '#admin/domain/content/admin-data.ts'
import { demoAudioExtensions, demoAudioProblem } from '#admin/domain/content/demo-audio.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { isVisible } from '#platform/domain/text/typed-text.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { sizeLabel } from '#platform/domain/text/numbers.ts'
import { sniffedBytes } from '#agent/domain/voice/voice-sample.ts'
import { audioSeconds, readAsDataUrl } from '#admin/browser/content/demo-audio.ts'
import { raiseToast } from '#platform/browser/toast.ts'
import { focusOnMount } from '#platform/ui/fields/focus-on-mount.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { button } from '#platform/domain/variants.ts'
import { entryForm, twoFields } from '#admin/ui/lists/variants.ts'

const problems = {
  industry: 'Name the industry.',
  title: 'Give it a title.',
  audio: 'Choose an audio file.',
}
const unplayable = 'This recording cannot be played. Export it again, or choose another one.'
const notPlaced =
  'This recording could not be uploaded, and this browser has no room to keep it until it can. The demo was not added. Check your connection, then try again.'
type Field = keyof typeof problems

/** Asks for industry, title, description (the only optional field) and audio file (specification, section 5). */
export function AddDemo({ onClose }: { onClose: () => void }) {
  const { data, addDemo, placeAudio } = useAdminData()
  const [file, setFile] = useState<{ file: File; seconds: number } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [missing, setMissing] = useState<readonly Field[]>([])
  const [isReading, setReading] = useState(false)

  async function choose(chosen: File | undefined): Promise<void> {
    if (!chosen) return
    const head = new Uint8Array(await chosen.slice(0, sniffedBytes).arrayBuffer())
    const found = demoAudioProblem({ name: chosen.name, bytes: chosen.size, head })
    const seconds = found === null ? await audioSeconds(chosen) : undefined
    setProblem(found ?? (seconds === undefined ? unplayable : null))
    setFile(seconds === undefined ? null : { file: chosen, seconds })
    setMissing((fields) => fields.filter((field) => field !== 'audio'))
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const text = (name: string): string => cleanText(String(fields.get(name) ?? ''))
    const [industry, title, description] = [text('industry'), text('title'), text('description')]
    const tooLong = (['industry', 'title', 'description'] as const).find(
      (name) => text(name).length > textLimits[name],
    )
    if (tooLong) return form.querySelector<HTMLElement>(`#demo-${tooLong}`)?.focus()
    const absent: Field[] = []
    if (!isVisible(industry)) absent.push('industry')
    if (!isVisible(title)) absent.push('title')
    if (!file) absent.push('audio')
    setMissing(absent)
    if (!file || absent.length > 0) {
      raiseToast(toasts.missingInformation)
      form.querySelector<HTMLElement>(`#demo-${absent[0]}`)?.focus()
      return
    }
    setReading(true)
    const dataUrl = await readAsDataUrl(file.file)
    const audioUrl = dataUrl && (await placeAudio(dataUrl))
    setReading(false)
    if (!dataUrl) return setProblem('This file could not be read. Choose it again.')
    if (!audioUrl) return setProblem(notPlaced)
    addDemo({ industry, title, description, audioUrl, seconds: file.seconds })
    onClose()
  }

  const problemOf = (field: Field): string | false => missing.includes(field) && problems[field]
  return (
    <form className={`${entryForm} border-t`} noValidate onSubmit={(event) => void submit(event)}>
      <h2 className="text-h4">New demo</h2>
      <div className={twoFields}>
        <FormField
          id="demo-industry"
          label="Industry"
          name="industry"
          ref={focusOnMount}
          longest={textLimits.industry}
          list="demo-industries"
          autoComplete="off"
          problem={problemOf('industry')}
          hint="The name of the industry page that it is for, or the industry of a demo on that page."
        />
        <FormField
          id="demo-title"
          label="Title"
          name="title"
          longest={textLimits.title}
          problem={problemOf('title')}
        />
        <datalist id="demo-industries">
          {[...new Set(data.demos.map((demo) => demo.industry))].map((industry) => (
            <option key={industry} value={industry} />
          ))}
        </datalist>
      </div>
      <FormField
        id="demo-description"
        label="Description (optional)"
        name="description"
        rows={2}
        longest={textLimits.description}
      />
      <FormField
        id="demo-audio"
        label="Audio file"
        type="file"
        accept={demoAudioExtensions.join(',')}
        onChange={({ target }) => void choose(target.files?.[0])}
        problem={problem ?? problemOf('audio')}
        isAlert
        hint={
          file ? (
            <span className="wrap-anywhere">
              {`${file.file.name}, ${durationLabel(file.seconds)}, ${sizeLabel(file.file.size)}`}
            </span>
          ) : (
            'MP3 or WAV, up to 25 MB. Above about 3 MB this browser cannot keep it: it is uploaded at once, which needs a connection.'
          )
        }
      />
      <div className="flex flex-wrap items-center gap-3">
        <button className={button()} type="submit" disabled={isReading}>
          {isReading ? 'Adding...' : 'Add demo'}
        </button>
        <button className={button({ kind: 'other' })} type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}
