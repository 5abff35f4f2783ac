import { useEffect, useId, useRef } from 'react'
import {
  generalTemplateIds,
  industryTemplates,
  tradeTemplateIds,
  type IndustryTemplateId,
} from '#agent/domain/industry-templates.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { fieldGrid, fieldLegend, problemLine } from '#platform/domain/app-variants.ts'

interface Props {
  chosen: IndustryTemplateId | null
  disabled?: boolean
  /** What a toast says is missing. The first template then gets the focus. */
  problem?: string
  onChoose: (template: IndustryTemplateId) => void
}

/** The choice of an industry template: the three general ones, and under them one for each industry. */
export function TemplateChoice({ chosen, disabled = false, problem, onChoose }: Props) {
  const problemId = useId()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (problem) first.current?.focus()
  }, [problem])
  const choices = (ids: readonly IndustryTemplateId[]) =>
    ids.map((id) => (
      <Choice
        key={id}
        ref={id === generalTemplateIds[0] ? first : undefined}
        type="radio"
        name="template"
        value={id}
        checked={chosen === id}
        onChange={() => onChoose(id)}
        detail={industryTemplates[id].suits}
      >
        <b>{industryTemplates[id].name}</b>
      </Choice>
    ))
  return (
    <>
      <fieldset className={fieldGrid} disabled={disabled} aria-describedby={problem && problemId}>
        <legend className={fieldLegend}>Industry template</legend>
        {problem && (
          <p className={problemLine} id={problemId}>
            {problem}
          </p>
        )}
        <Choices>{choices(generalTemplateIds)}</Choices>
      </fieldset>
      <fieldset className={fieldGrid} disabled={disabled}>
        <legend className={fieldLegend}>Or the template of your own trade</legend>
        <Choices layout="columns">{choices(tradeTemplateIds)}</Choices>
      </fieldset>
    </>
  )
}
