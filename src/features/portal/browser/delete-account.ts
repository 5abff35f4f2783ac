import { deleteAccountAnswer, type DeleteAccountAnswer } from '#portal/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'

/**
 * Deletes the signed-in customer's account for good.
 * @param email the account's e-mail address, typed to confirm
 */
export function deleteAccount(email: string): Promise<Result<DeleteAccountAnswer, FunctionFailure>> {
  return invokeAsUser('delete-account', { email }, deleteAccountAnswer)
}
