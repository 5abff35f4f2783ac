import { authFailure } from './failures.ts'

/** The fields of the admin API's requests that supabase-js sends. */
export interface AdminBody {
  id?: string
  type?: string
  email?: string
  password?: string
  email_confirm?: boolean
  user_metadata?: Record<string, unknown>
  app_metadata?: Record<string, unknown>
  redirect_to?: string
}

export interface AdminSettings {
  secretKey: string
  minimumPasswordLength: number
  siteUrl: string
}

export const emailTaken = (): Response =>
  authFailure(422, 'email_exists', 'A user with this email address has already been registered')

/** Returns an error response if the password is too short. */
export const refuseWeak = (password: string | undefined, minimum: number): Response | undefined =>
  password !== undefined && password.length < minimum
    ? authFailure(422, 'weak_password', `Password should be at least ${minimum} characters.`)
    : undefined
