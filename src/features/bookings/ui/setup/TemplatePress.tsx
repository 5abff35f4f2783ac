import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { Section } from '#agent/ui/knowledge/FormSection.tsx'
import { noSetup, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import {
  newBookable,
  newResource,
  setupFrom,
  setupTemplates,
  type SetupTemplate,
} from '#bookings/domain/setup-templates.ts'
import { lineList } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'

interface Props {
  services: AgentKnowledge['services']
  onChoose: (setup: BookingSetup) => void
}

const newId = (): string => crypto.randomUUID()
const names = Object.keys(setupTemplates) as SetupTemplate[]

/** The first step: one press makes a set-up to begin with. */
export const TemplatePress = ({ services, onChoose }: Props) => (
  <Section title="What can callers book?">
    <p className="text-ink-2">Begin with what is closest. You can change everything before you save.</p>
    <ul className={lineList}>
      {names.map((name) => (
        <li key={name}>
          <span className="min-w-0 flex-[1_1_14rem]">
            <b>{setupTemplates[name].name}</b>
            <span className="block text-sm text-ink-2">{setupTemplates[name].detail}</span>
          </span>
          <button
            className={button({ kind: 'other', size: 'small' })}
            type="button"
            onClick={() => onChoose(setupFrom(name, services, newId))}
          >
            Begin<span className="sr-only"> with {setupTemplates[name].name.toLowerCase()}</span>
          </button>
        </li>
      ))}
    </ul>
    <button
      className={textButton({ class: 'justify-self-start text-sm' })}
      type="button"
      onClick={() => {
        const resource = newResource('', '', [1], newId)
        onChoose({
          ...noSetup,
          resources: [resource],
          bookables: [newBookable('', [resource.id], newId)],
        })
      }}
    >
      Begin with nothing
    </button>
  </Section>
)
