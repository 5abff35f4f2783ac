import { emailTaken, refuseWeak, type AdminBody, type AdminSettings } from './admin-rules.ts'
import { authFailure } from './failures.ts'
import { changeUser, deleteUser, findUser, insertUser, toApiUser } from './auth-users.ts'
import { generateLink } from './generate-link.ts'
import type { SqlDatabase, SqlSession } from './sql-database.ts'

/** Serves `supabase.auth.admin` (users and links), which @supabase/lite lacks, to requests with the secret key. */
export function createAdminApi(
  pg: SqlDatabase,
  settings: AdminSettings,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const bearer = request.headers.get('authorization')?.replace(/^Bearer /, '')
    if (![request.headers.get('apikey'), bearer].includes(settings.secretKey)) {
      return authFailure(403, 'not_admin', 'User not allowed')
    }
    const url = new URL(request.url)
    const body = await readJson(request)
    const route = `${request.method} ${url.pathname.replace('/auth/v1/admin', '').replace(/[0-9a-f-]{36}$/, ':id')}`
    if (route === 'POST /generate_link') return pg.transaction((tx) => generateLink(tx, body, url, settings))
    if (route === 'POST /users') return pg.transaction((tx) => create(tx, body, settings))
    const user = await findUser(pg, 'id', /[0-9a-f-]{36}$/.exec(url.pathname)?.[0] ?? emptyId)
    if (!user) return authFailure(404, 'user_not_found', 'User not found')
    if (route === 'GET /users/:id') return Response.json(toApiUser(user))
    if (route === 'PUT /users/:id') return pg.transaction((tx) => change(tx, user.id, body, settings))
    if (route !== 'DELETE /users/:id') return authFailure(404, 'not_found', 'Not found')
    await deleteUser(pg, user.id)
    return Response.json({})
  }
}

const emptyId = '00000000-0000-0000-0000-000000000000'

async function readJson(request: Request): Promise<AdminBody> {
  try {
    const body = (await request.json()) as AdminBody
    return { ...body, ...(body.email ? { email: body.email.toLowerCase().trim() } : {}) }
  } catch {
    return {}
  }
}

async function create(db: SqlSession, body: AdminBody, settings: AdminSettings): Promise<Response> {
  const weak = refuseWeak(body.password, settings.minimumPasswordLength)
  if (weak) return weak
  if (!body.email) return authFailure(400, 'validation_failed', 'Cannot create a user without an email')
  if (await findUser(db, 'email', body.email)) return emailTaken()
  const id = await insertUser(db, {
    id: body.id,
    email: body.email,
    password: body.password,
    confirmed: body.email_confirm ?? false,
    userMetadata: body.user_metadata,
    appMetadata: body.app_metadata,
  })
  return userResponse(db, id)
}

async function change(
  db: SqlSession,
  id: string,
  body: AdminBody,
  settings: AdminSettings,
): Promise<Response> {
  const weak = refuseWeak(body.password, settings.minimumPasswordLength)
  if (weak) return weak
  const holder = body.email ? await findUser(db, 'email', body.email) : undefined
  if (holder && holder.id !== id) return emailTaken()
  await changeUser(db, id, {
    email: body.email,
    password: body.password,
    confirm: body.email_confirm,
    userMetadata: body.user_metadata,
    appMetadata: body.app_metadata,
  })
  return userResponse(db, id)
}

async function userResponse(db: SqlSession, id: string): Promise<Response> {
  const user = await findUser(db, 'id', id)
  return user ? Response.json(toApiUser(user)) : authFailure(404, 'user_not_found', 'User not found')
}
