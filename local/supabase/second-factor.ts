import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { renderSVG } from 'uqr'
import * as z from 'zod/mini'
import { authFailure } from './failures.ts'
import type { SqlDatabase } from './sql-database.ts'
import { base32, isTotp } from './totp.ts'

/** A challenge holds for five minutes, and so does a factor that is not verified. */
const validity = `interval '5 minutes'`
const mostFactors = 10

interface Settings {
  jwtSecret: string
  siteUrl: string
  /** Answers a request to the auth API. */
  fetch: (request: Request) => Response | Promise<Response>
}

interface Factor {
  id: string
  friendly_name: string | null
  factor_type: string
  status: string
  secret: string
  created_at: string
  updated_at: string
}

const claimsSchema = z.looseObject({ sub: z.string(), session_id: z.string(), exp: z.number() })
type Claims = z.infer<typeof claimsSchema>

const enrolBody = z.object({
  factor_type: z.literal('totp'),
  friendly_name: z.optional(z.string()),
  issuer: z.optional(z.string()),
})
const verifyBody = z.object({ challenge_id: z.uuid(), code: z.string() })

const notFound = (): Response => authFailure(404, 'mfa_factor_not_found', 'Factor not found')

/**
 * Serves one-time codes as a second factor (TOTP), which @supabase/lite lacks, after Supabase Auth (internal/api/mfa.go),
 * and writes into every token how its session was begun: `aal` and `amr`.
 */
export function createSecondFactor(pg: SqlDatabase, { jwtSecret, siteUrl, fetch }: Settings) {
  const signatureOf = (text: string): string =>
    createHmac('sha256', jwtSecret).update(text).digest('base64url')

  function claimsOf(token: string): Claims | undefined {
    const [head = '', body = '', signature = ''] = token.split('.')
    const expected = Buffer.from(signatureOf(`${head}.${body}`))
    const given = Buffer.from(signature)
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
    const claims = z.safeParse(claimsSchema, JSON.parse(Buffer.from(body, 'base64url').toString())).data
    return claims && claims.exp * 1000 > Date.now() ? claims : undefined
  }
  const bearerClaims = (request: Request): Claims | undefined =>
    claimsOf(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')

  const factorsOf = async (user: string): Promise<Factor[]> =>
    (await pg.query<Factor>('select * from auth.mfa_factors where user_id = $1 order by created_at', [user]))
      .rows
  const levelOf = async ({ session_id: session }: Claims): Promise<string | undefined> =>
    (await pg.query<{ aal: string }>('select aal from auth.sessions where id = $1', [session])).rows[0]?.aal
  const noteMethod = (session: string, method: string) =>
    pg.query(
      `insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2)
       on conflict (session_id, authentication_method) do update set updated_at = now()`,
      [session, method],
    )

  async function enrol(claims: Claims, level: string, body: unknown): Promise<Response> {
    const given = z.safeParse(enrolBody, body)
    if (!given.success)
      return authFailure(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn')
    const { friendly_name: name = '', issuer = new URL(siteUrl).host } = given.data
    await pg.query(
      `delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and created_at < now() - ${validity}`,
      [claims.sub],
    )
    const factors = await factorsOf(claims.sub)
    if (factors.length >= mostFactors)
      return authFailure(
        422,
        'too_many_enrolled_mfa_factors',
        'Maximum number of verified factors reached, unenroll to continue',
      )
    if (factors.some(({ status }) => status === 'verified') && level !== 'aal2')
      return authFailure(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
    if (name.trim() && factors.some(({ friendly_name }) => friendly_name === name))
      return authFailure(
        422,
        'mfa_factor_name_conflict',
        `A factor with the friendly name "${name}" for this user already exists`,
      )
    const id = randomUUID()
    const secret = base32(randomBytes(20))
    await pg.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
       values ($1, $2, $3, 'totp', 'unverified', $4)`,
      [id, claims.sub, name, secret],
    )
    const account = `${encodeURIComponent(issuer)}:${encodeURIComponent(String(claims.email))}`
    const query = new URLSearchParams({ algorithm: 'SHA1', digits: '6', issuer, period: '30', secret })
    const uri = `otpauth://totp/${account}?${query}`
    return Response.json({
      id,
      type: 'totp',
      friendly_name: name,
      totp: { qr_code: renderSVG(uri), secret, uri },
    })
  }

  async function challenge(factor: Factor): Promise<Response> {
    const id = randomUUID()
    const { rows } = await pg.query<{ expires_at: number }>(
      `insert into auth.mfa_challenges (id, factor_id) values ($1, $2)
       returning extract(epoch from created_at + ${validity})::integer as expires_at`,
      [id, factor.id],
    )
    return Response.json({ id, type: 'totp', expires_at: rows[0]!.expires_at })
  }

  async function verify(apikey: string, claims: Claims, factor: Factor, body: unknown): Promise<Response> {
    const given = z.safeParse(verifyBody, body)
    if (!given.success) return authFailure(400, 'validation_failed', 'challenge_id and code are required')
    const { challenge_id: id, code } = given.data
    const { rows } = await pg.query<{ is_over: boolean; is_used: boolean }>(
      `select created_at + ${validity} < now() as is_over, verified_at is not null as is_used
       from auth.mfa_challenges where id = $1 and factor_id = $2`,
      [id, factor.id],
    )
    const [found] = rows
    if (!found)
      return authFailure(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
    if (found.is_used)
      return authFailure(
        422,
        'mfa_ip_address_mismatch',
        'Challenge and verify IP addresses mismatch. Try enrollment again.',
      )
    if (found.is_over) {
      await pg.query('delete from auth.mfa_challenges where id = $1', [id])
      return authFailure(
        422,
        'mfa_challenge_expired',
        `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
      )
    }
    if (!isTotp(factor.secret, code, Date.now()))
      return authFailure(422, 'mfa_verification_failed', 'Invalid TOTP code entered')
    await pg.query('update auth.mfa_challenges set verified_at = now() where id = $1', [id])
    await pg.query(`update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1`, [
      factor.id,
    ])
    await pg.query(`delete from auth.mfa_factors where user_id = $1 and status = 'unverified'`, [claims.sub])
    await pg.query(`update auth.sessions set aal = 'aal2', factor_id = $2 where id = $1`, [
      claims.session_id,
      factor.id,
    ])
    await noteMethod(claims.session_id, 'totp')
    // Ends the other sessions, which began with a password alone.
    await pg.query(`delete from auth.sessions where user_id = $1 and aal = 'aal1'`, [claims.sub])
    const { rows: tokens } = await pg.query<{ token: string }>(
      'select token from auth.refresh_tokens where session_id = $1 and not revoked order by created_at desc',
      [claims.session_id],
    )
    const refresh = new Request(`${siteUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey },
      body: JSON.stringify({ refresh_token: tokens[0]?.token }),
    })
    return complete(refresh, await fetch(refresh))
  }

  async function remove(factor: Factor, level: string): Promise<Response> {
    if (factor.status === 'verified' && level !== 'aal2')
      return authFailure(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
    await pg.query('delete from auth.mfa_factors where id = $1', [factor.id])
    await pg.query(`update auth.sessions set aal = 'aal1', factor_id = null where factor_id = $1`, [
      factor.id,
    ])
    return Response.json({ id: factor.id })
  }

  /** Handles a request below /auth/v1/factors. */
  async function serve(request: Request): Promise<Response> {
    const apikey = request.headers.get('apikey')
    if (!apikey) return authFailure(401, 'no_api_key', 'No API key found in request')
    const claims = bearerClaims(request)
    const level = claims && (await levelOf(claims))
    if (!claims || !level)
      return authFailure(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, or no session')
    const [, , , , id, step] = new URL(request.url).pathname.split('/')
    const body: unknown = request.method === 'POST' ? await request.json().catch(() => null) : null
    if (id === undefined && request.method === 'POST') return enrol(claims, level, body)
    const factor = (await factorsOf(claims.sub)).find((each) => each.id === id)
    if (!factor) return notFound()
    if (step === undefined && request.method === 'DELETE') return remove(factor, level)
    if (step === 'challenge' && request.method === 'POST') return challenge(factor)
    if (step === 'verify' && request.method === 'POST') return verify(apikey, claims, factor, body)
    return authFailure(404, 'not_found', 'Not found')
  }

  /** Refuses a change of e-mail or password by a session without the second factor that its user has. */
  async function refuse(request: Request): Promise<Response | undefined> {
    const claims = bearerClaims(request)
    if (!claims || (await levelOf(claims)) === 'aal2') return undefined
    const changes: unknown = await request
      .clone()
      .json()
      .catch(() => null)
    const isGuarded = z.safeParse(
      z.union([z.object({ password: z.string() }), z.object({ email: z.string() })]),
      changes,
    )
    if (!isGuarded.success) return undefined
    const hasFactor = (await factorsOf(claims.sub)).some(({ status }) => status === 'verified')
    return hasFactor
      ? authFailure(
          401,
          'insufficient_aal',
          'AAL2 session is required to update email or password when MFA is enabled.',
        )
      : undefined
  }

  /** Adds to an answer of the auth API the user's factors, and to its token how the session was begun. */
  async function complete(request: Request, response: Response): Promise<Response> {
    if (!response.ok) return response
    const body = (await response.clone().json()) as Record<string, unknown>
    const withFactors = async (user: Record<string, unknown>) => {
      const factors = (await factorsOf(String(user.id))).map(
        ({ id, friendly_name, factor_type, status, created_at, updated_at }) => ({
          id,
          friendly_name,
          factor_type,
          status,
          created_at,
          updated_at,
        }),
      )
      return factors.length > 0 ? { ...user, factors } : user
    }
    const answer = (changed: unknown): Response => {
      const headers = new Headers(response.headers)
      headers.delete('content-length')
      return Response.json(changed, { status: response.status, headers })
    }
    if (typeof body.access_token !== 'string')
      return typeof body.id === 'string' ? answer(await withFactors(body)) : response
    const claims = claimsOf(body.access_token)
    if (!claims) return response
    const { pathname, searchParams } = new URL(request.url)
    if (searchParams.get('grant_type') === 'password') await noteMethod(claims.session_id, 'password')
    else if (pathname.endsWith('/verify')) await noteMethod(claims.session_id, 'otp')
    const { rows: amr } = await pg.query(
      `select authentication_method as method, extract(epoch from updated_at)::integer as timestamp
       from auth.mfa_amr_claims where session_id = $1 order by updated_at desc`,
      [claims.session_id],
    )
    const [head] = body.access_token.split('.')
    const payload = { ...claims, aal: (await levelOf(claims)) ?? 'aal1', amr }
    const text = `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
    return answer({
      ...body,
      access_token: `${text}.${signatureOf(text)}`,
      user: await withFactors(body.user as Record<string, unknown>),
    })
  }

  return { serve, refuse, complete }
}
export type SecondFactor = ReturnType<typeof createSecondFactor>
