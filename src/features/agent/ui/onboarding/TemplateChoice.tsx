import {
  generalTemplateIds,
  industryTemplates,
  tradeTemplateIds,
  type IndustryTemplateId,
} from '#agent/domain/industry-templates.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { fieldGrid, fieldLegend } from '#platform/domain/app-variants.ts'

interface Props {
  chosen: IndustryTemplateId | null
  disabled?: boolean
  onChoose: (template: IndustryTemplateId) => void
}

/** The choice of an industry template: the three general ones, and under them one for each industry. */
export function TemplateChoice({ chosen, disabled = false, onChoose }: Props) {
  const choices = (ids: readonly IndustryTemplateId[]) =>
    ids.map((id) => (
      <Choice
        key={id}
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
      <fieldset className={fieldGrid} disabled={disabled}>
        <legend className={fieldLegend}>Industry template</legend>
        <Choices>{choices(generalTemplateIds)}</Choices>
      </fieldset>
      <fieldset className={fieldGrid} disabled={disabled}>
        <legend className={fieldLegend}>Or the template of your own trade</legend>
        <Choices layout="columns">{choices(tradeTemplateIds)}</Choices>
      </fieldset>
    </>
  )
}
