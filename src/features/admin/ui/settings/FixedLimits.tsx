import { grouped } from '#platform/domain/text/numbers.ts'
import { textLimits } from '#admin/domain/content/admin-data.ts'
import { demoAudioMaxBytes } from '#admin/domain/content/demo-audio.ts'
import { minutesLabel, plans } from '#plans/domain/plans.ts'
import { minimumPasswordLength } from '#platform/domain/toasts.ts'
import { cell, ledger } from '#platform/domain/variants.ts'

const facts: [string, string][] = [
  ...plans.map((plan): [string, string] => [`${plan.name}, minutes a month`, minutesLabel(plan)]),
  ['Audio files', `${demoAudioMaxBytes / 1024 / 1024} MB`],
  ['FAQ answers', `${grouped(textLimits.answer)} characters`],
  ['Passwords', `from ${minimumPasswordLength} characters`],
]

/** The limits in force. They come from the plan catalogue in the source code. */
export const FixedLimits = () => (
  <div className={cell({ class: 'grid content-start gap-4' })}>
    <h2 className="text-h4" id="limits" tabIndex={-1}>
      Limits in force
    </h2>
    <dl className={`${ledger} text-sm`}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <p className="text-sm text-ink-2">They come with the plan catalogue and cannot be changed here.</p>
  </div>
)
