import type * as z from 'zod/mini'
import { invokeFunction } from '#platform/browser/functions.ts'
import { accessToken } from './session.ts'

/** Sends a request to a function of this site, as the user who is signed in, if anybody is. */
export const invokeAsUser = async <Schema extends z.ZodMiniType>(
  name: string,
  body: object,
  answer: Schema,
) => invokeFunction(name, { body, answer, accessToken: await accessToken() })
