import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { supabase } from '#platform/browser/supabase.ts'
import { site } from '#site'

/** The factor whose code is asked for. One that is new has a secret, which the authenticator app needs. */
export interface SecondFactor {
  id: string
  enrolment: { qrCode: string; secret: string } | null
}

/** Returns the user's factor, or begins to enrol one; null if that fails. Removes enrolments that were not finished. */
export async function openSecondFactor(): Promise<SecondFactor | null> {
  const { mfa } = supabase().auth
  const { data: factors } = await mfa.listFactors()
  if (!factors) return null
  const [verified] = factors.totp
  if (verified) return { id: verified.id, enrolment: null }
  for (const { id } of factors.all) await mfa.unenroll({ factorId: id })
  const { data } = await mfa.enroll({ factorType: 'totp', friendlyName: site.name, issuer: site.name })
  return data && { id: data.id, enrolment: { qrCode: data.totp.qr_code, secret: data.totp.secret } }
}

/** Checks a code, and makes the session one with a second factor. Returns the problem, if any. */
export async function enterCode(factorId: string, code: string): Promise<string | undefined> {
  const { error } = await supabase().auth.mfa.challengeAndVerify({ factorId, code })
  return error ? problemOf(error) : undefined
}

function problemOf(error: AuthError): string {
  if (isAuthRetryableFetchError(error)) return 'The server could not be reached. Try again.'
  if (error.code === 'mfa_verification_failed')
    return 'This code is wrong or too old. Enter the one that your app shows now.'
  return error.message
}
