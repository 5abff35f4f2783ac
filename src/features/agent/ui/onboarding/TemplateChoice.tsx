import {
  generalTemplateIds,
  industryTemplates,
  tradeTemplateIds,
  type IndustryTemplateId,
} from '#agent/domain/industry-templates.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'

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
      <fieldset className="field" disabled={disabled}>
        <legend>Industry template</legend>
        <Choices>{choices(generalTemplateIds)}</Choices>
      </fieldset>
      <fieldset className="field" disabled={disabled}>
        <legend>Or the template of your own trade</legend>
        <Choices layout="columns">{choices(tradeTemplateIds)}</Choices>
      </fieldset>
    </>
  )
}
