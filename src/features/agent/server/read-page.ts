import { signedInUser } from '#account/server/signed-in-user.ts'
import type { ReadPageAnswer, ReadPageRequest } from '#agent/domain/contracts.ts'
import { importMaxLength } from '#agent/domain/import.ts'
import { pageText } from '#agent/domain/page-text.ts'
import { site } from '#site'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { requestPublic, type PublicRequestProblem, type Reach } from '#platform/server/public-request.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'

const problems: Record<PublicRequestProblem | 'no_page', Failure> = {
  forbidden: {
    code: 'invalid_request',
    message: 'This is not the address of a public website. Write it as https://www.example.com.',
  },
  unreachable: { code: 'not_found', message: 'This website does not answer. Check the address.' },
  too_large: {
    code: 'invalid_request',
    message: 'This page is too long. Copy the part that matters, and paste it.',
  },
  no_page: { code: 'not_found', message: 'There is no page with text at this address.' },
}
const failed = (problem: keyof typeof problems): Result<never> => ({ ok: false, failure: problems[problem] })

/**
 * Reads a page of the public web for the signed-in customer, and returns its text.
 * @throws DatabaseError
 */
export async function readPage(
  { url }: ReadPageRequest,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<ReadPageAnswer>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const keys = { ipAddress: ipAddressOf(request), subject: user.value.id }
  const rateLimited = await takeRateLimit('read_page', keys, connected)
  return rateLimited ? { ok: false, failure: rateLimited } : textAt(url)
}

/** Returns the text of the page at a URL. */
export async function textAt(url: string, reach?: Reach): Promise<Result<ReadPageAnswer>> {
  const answer = await requestPublic(
    url,
    {
      timeout: 8_000,
      limit: 2 * 1024 * 1024,
      redirects: 4,
      headers: {
        accept: 'text/html, text/plain',
        'user-agent': `${site.name} (page of a customer, read once)`,
      },
    },
    reach,
  )
  if (!answer.ok) return failed(answer.problem)
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(answer.type)
  if (answer.status !== 200 || !(isHtml || /^text\/plain\b/i.test(answer.type))) return failed('no_page')
  const text = (isHtml ? pageText(answer.text) : answer.text).slice(0, importMaxLength)
  return text.trim() ? { ok: true, value: { text } } : failed('no_page')
}
