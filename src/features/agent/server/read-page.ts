import { signedInUser } from '#account/server/signed-in-user.ts'
import type { ReadPageAnswer, ReadPageRequest } from '#agent/domain/contracts.ts'
import { importMaxLength } from '#agent/domain/knowledge/import.ts'
import { site } from '#site'
import { charsetOf, declaredCharset, pageText } from './page-text.ts'
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
  return rateLimited ? { ok: false, failure: rateLimited } : readPageText(url)
}

/** Returns the text of the page at a URL. */
export async function readPageText(url: string, reach?: Reach): Promise<Result<ReadPageAnswer>> {
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
  const content = decoded(answer.bytes, answer.type, isHtml)
  const text = (isHtml ? pageText(content) : content).slice(0, importMaxLength)
  return text.trim() ? { ok: true, value: { text } } : failed('no_page')
}

/**
 * Decodes a page as browsers do: by its byte order mark, else by its header, else by what an HTML page declares in its first
 * bytes. A page that says nothing is UTF-8 if its bytes are, and Windows-1252 if not.
 */
function decoded(bytes: Uint8Array, type: string, isHtml: boolean): string {
  const [first, second, third] = bytes
  const marked =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : first === 0xef && second === 0xbb && third === 0xbf
          ? 'utf-8'
          : undefined
  const declared = isHtml
    ? declaredCharset(Buffer.from(bytes.subarray(0, 1_024)).toString('latin1'))
    : undefined
  // What could be read as single bytes is not UTF-16.
  const labels = [marked, charsetOf(type), declared?.replace(/^utf-16.*/i, 'utf-8')]
  for (const label of labels) {
    const decoder = label && decoderOf(label)
    if (decoder) return decoder.decode(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns a decoder; undefined if there is no such charset. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
