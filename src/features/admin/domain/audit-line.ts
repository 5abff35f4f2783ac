/** A change that the database has recorded. */
interface AuditChange {
  actor_email: string | null
  action: string
  /** The table, or `site`. */
  subject: string
  subject_id: string
  before: Readonly<Record<string, unknown>> | null
  after: Readonly<Record<string, unknown>> | null
  /** The address of the account that was changed; null if there is none. */
  email: string | null
}

const texts = (value: unknown): string => (value === null || value === undefined ? 'none' : String(value))

/** Returns a field of the record, as it is now or was before it was deleted. */
const named = ({ before, after }: AuditChange, field: string): string =>
  texts(after?.[field] ?? before?.[field])

/** Says to what something was done. An account that was deleted has no address any more. */
function objectOf(change: AuditChange): string {
  switch (change.subject) {
    case 'user_subscriptions':
      return change.email ?? 'an account that was deleted since'
    case 'faqs':
      return `the FAQ “${named(change, 'question')}”`
    case 'audio_demos':
      return `the demo “${named(change, 'title')}”`
    case 'voice_agents':
      return change.email === null ? 'the agent of a deleted account' : `the agent of ${change.email}`
    case 'phone_numbers':
      return `the number ${change.subject_id}`
    case 'leads':
      return 'a visitor’s request'
    case 'jobs':
      return `the job “${change.subject_id}”`
    case 'site_settings':
      return 'the settings'
    case 'site':
      return 'the site'
    default:
      return change.subject.replaceAll('_', ' ')
  }
}

/** Says in words who did something, and what was done to whom. */
export function describeChange(change: AuditChange): { actor: string; action: string } {
  const isBuild = change.subject === 'site'
  return {
    actor: change.actor_email ?? (isBuild ? 'The build' : 'The server'),
    action:
      change.action === 'released'
        ? `took back “active” for ${objectOf(change)}: Stripe has a new status`
        : `${change.action} ${objectOf(change)}`,
  }
}

/** Returns the fields that differ, as text. */
export function changedFields({ before, after }: AuditChange): { name: string; was: string; is: string }[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => name !== 'deleted_at' && texts(before?.[name]) !== texts(after?.[name]))
    .map((name) => ({
      name: name.replaceAll('_', ' '),
      was: texts(before?.[name]),
      is: texts(after?.[name]),
    }))
}
