import type { Failure } from '#platform/domain/failures.ts'
import { bearerToken, unauthorized } from '#account/server/authenticate.ts'
import { connectAs, DatabaseError } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'

export const forbidden: Failure = { code: 'forbidden', message: 'Only the admin may do this.' }

/**
 * Asks the database, in the caller's own name, whether the caller is the admin: what a token claims counts for nothing,
 * and who was demoted a moment ago is none.
 * @returns the failure where the caller is not
 */
export async function checkAdmin(request: Request, { env }: Services): Promise<Failure | undefined> {
  const token = bearerToken(request)
  if (!token) return unauthorized
  const { data, error, status } = await connectAs(token, env).rpc('is_admin')
  if (status === 401 || status === 403) return unauthorized
  if (error) throw new DatabaseError('is_admin', error.code)
  return data === true ? undefined : forbidden
}
