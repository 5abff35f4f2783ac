import { publishAnswer, type PublishAnswer } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { callFunction, type CallFailure } from './functions.ts'
import { accessToken } from './session.ts'

/** Asks for a new build of the site with what the database holds now. */
export const publish = async (): Promise<Result<PublishAnswer, CallFailure>> =>
  callFunction('publish', { body: {}, answer: publishAnswer, accessToken: await accessToken() })
