import { authFailure } from './failures.ts'

/** What the administration's requests may hold; supabase-js sends nothing else to the paths below. */
export interface AdminBody {
  id?: string
  type?: string
  email?: string
  password?: string
  email_confirm?: boolean
  user_metadata?: Record<string, unknown>
  app_metadata?: Record<string, unknown>
  data?: Record<string, unknown>
  redirect_to?: string
}

export interface AdminSettings {
  secretKey: string
  minimumPasswordLength: number
  /** Of bcrypt, for passwords that the administration sets. */
  passwordCost: number
  siteUrl: string
}

export const emailTaken = (): Response =>
  authFailure(422, 'email_exists', 'A user with this email address has already been registered')

/** The refusal of a password that is too short, or nothing. */
export const refuseWeak = (password: string | undefined, minimum: number): Response | undefined =>
  password !== undefined && password.length < minimum
    ? authFailure(422, 'weak_password', `Password should be at least ${minimum} characters.`)
    : undefined
