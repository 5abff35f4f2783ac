import { accessToken } from '#account/browser/session.ts'
import { readPageAnswer, type ReadPageAnswer } from '#agent/domain/contracts.ts'
import { invokeFunction, type FunctionFailure } from '#platform/browser/functions.ts'
import type { Result } from '#platform/domain/result.ts'

/** Reads the text of a page of the public web. */
export async function readPage(address: string): Promise<Result<ReadPageAnswer, FunctionFailure>> {
  const url = /^[a-z]+:/i.test(address) ? address : `https://${address}`
  return invokeFunction('read-page', {
    body: { url },
    answer: readPageAnswer,
    accessToken: await accessToken(),
  })
}
