import {
  generalTemplateIds,
  industryTemplates,
  tradeTemplateIds,
  type IndustryTemplateId,
} from '#agent/domain/industry-templates.ts'

interface Props {
  chosen: IndustryTemplateId | null
  disabled?: boolean
  onChoose: (template: IndustryTemplateId) => void
}

/** The choice of an industry template: the three general ones, and under them one for each industry. */
export function TemplateChoice({ chosen, disabled = false, onChoose }: Props) {
  const choices = (ids: readonly IndustryTemplateId[]) =>
    ids.map((id) => (
      <label className="choice" key={id}>
        <input
          type="radio"
          name="template"
          value={id}
          checked={chosen === id}
          onChange={() => onChoose(id)}
        />
        <b>{industryTemplates[id].name}</b>
        <span className="text-sm text-ink-2">{industryTemplates[id].suits}</span>
      </label>
    ))
  return (
    <>
      <fieldset className="field" disabled={disabled}>
        <legend>Industry template</legend>
        <div className="choices">{choices(generalTemplateIds)}</div>
      </fieldset>
      <fieldset className="field" disabled={disabled}>
        <legend>Or the template of your own trade</legend>
        <div className="choices trades">{choices(tradeTemplateIds)}</div>
      </fieldset>
    </>
  )
}
