import { deleteAccountAnswer, type DeleteAccountAnswer } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { callFunction, type CallFailure } from './functions.ts'
import { accessToken } from './session.ts'

/** Deletes the signed-in customer's account for good. @param email the account's, as it was typed to confirm */
export async function deleteAccount(email: string): Promise<Result<DeleteAccountAnswer, CallFailure>> {
  return callFunction('delete-account', {
    body: { email },
    answer: deleteAccountAnswer,
    accessToken: await accessToken(),
  })
}
