import type { FailingWebhook } from '#admin/browser/agents.ts'
import { userPath } from '#admin/domain/users.ts'
import { deliveryProblems } from '#connections/domain/connections.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { badge } from '#platform/domain/variants.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const failingWebhookColumns = ['Failing since', 'Email', 'Where', 'Last answer', 'State'] as const

const answerOf = ({ status, problem }: FailingWebhook): string =>
  problem !== null ? deliveryProblems[problem] : status !== null ? String(status) : 'not known any more'

export const FailingWebhookRow = ({ webhook }: { webhook: FailingWebhook }) => (
  <tr>
    <td className={recordCell.moment}>
      <Moment iso={webhook.failing_since} />
    </td>
    <td className={recordCell.text}>
      <a href={userPath(webhook.user_id)} onClick={followInPage(userPath(webhook.user_id))}>
        {webhook.email}
      </a>
    </td>
    <td className={recordCell.text}>
      {webhook.host}
      <br />
      <span className="text-ink-2">{webhook.is_calendar ? 'Calendar' : 'Webhook'}</span>
    </td>
    <td className={recordCell.wide}>
      <span className="md:hidden">Last answer: </span>
      {answerOf(webhook)}
    </td>
    <td className={recordCell.wide}>
      {webhook.disabled_at === null ? (
        <span className={badge({ tone: 'warn' })}>is tried again</span>
      ) : (
        <>
          <span className={badge({ tone: 'bad' })}>switched off</span> <Moment iso={webhook.disabled_at} />
        </>
      )}
    </td>
  </tr>
)
