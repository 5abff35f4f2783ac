import { industryTemplates, type IndustryTemplateId } from '#agent/domain/industry-templates.ts'

interface Props {
  chosen: IndustryTemplateId | null
  disabled?: boolean
  onChoose: (template: IndustryTemplateId) => void
}

/** The choice of an industry template. */
export const TemplateChoice = ({ chosen, disabled = false, onChoose }: Props) => (
  <fieldset className="field" disabled={disabled}>
    <legend>Industry template</legend>
    <div className="choices">
      {industryTemplates.map(({ id, name, suits }) => (
        <label className="choice" key={id}>
          <input
            type="radio"
            name="template"
            value={id}
            checked={chosen === id}
            onChange={() => onChoose(id)}
          />
          <b>{name}</b>
          <span className="sm dim">{suits}</span>
        </label>
      ))}
    </div>
  </fieldset>
)
