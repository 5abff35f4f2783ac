import { deleteAccountAnswer, type DeleteAccountAnswer } from '#portal/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { invokeFunction, type FunctionFailure } from '#platform/browser/functions.ts'
import { accessToken } from '#account/browser/session.ts'

/**
 * Deletes the signed-in customer's account for good.
 * @param email the account's e-mail address, typed to confirm
 */
export async function deleteAccount(email: string): Promise<Result<DeleteAccountAnswer, FunctionFailure>> {
  return invokeFunction('delete-account', {
    body: { email },
    answer: deleteAccountAnswer,
    accessToken: await accessToken(),
  })
}
