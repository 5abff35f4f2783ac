import { deleteAccountAnswer, type DeleteAccountAnswer } from '#portal/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { callFunction, type CallFailure } from '#platform/browser/functions.ts'
import { accessToken } from '#account/browser/session.ts'

/** Deletes the signed-in customer's account for good. @param email the account's, as it was typed to confirm */
export async function deleteAccount(email: string): Promise<Result<DeleteAccountAnswer, CallFailure>> {
  return callFunction('delete-account', {
    body: { email },
    answer: deleteAccountAnswer,
    accessToken: await accessToken(),
  })
}
