import type { Failure } from '#platform/domain/failures.ts'
import { bearerToken, unauthorized } from '#account/server/signed-in-user.ts'
import { connectAs, DatabaseError } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'

export const forbidden: Failure = { code: 'forbidden', message: 'Only the admin may do this.' }

/**
 * Asks the database, with the request's own token, whether its user is the admin. Claims in the token are ignored, so a
 * demoted admin is refused at once.
 * @returns a failure if the user is not the admin
 */
export async function checkAdmin(request: Request, { env }: Services): Promise<Failure | undefined> {
  const token = bearerToken(request)
  if (!token) return unauthorized
  const { data, error, status } = await connectAs(token, env).rpc('is_admin')
  if (status === 401 || status === 403) return unauthorized
  if (error) throw new DatabaseError('is_admin', error.code)
  return data === true ? undefined : forbidden
}
