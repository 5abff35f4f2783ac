import { createLeadAnswer, type CreateLeadAnswer } from '#assistant/domain/contracts.ts'
import type { Arrangement } from '#assistant/domain/dialogue/dialogue.ts'
import { invokeFunction, type FunctionFailure } from '#platform/browser/functions.ts'
import type { Result } from '#platform/domain/result.ts'

/** Passes a request on to the operator. Sent again, the same request is one lead. */
export const createLead = ({
  id,
  name,
  contact: { email, phone },
  wish,
}: Arrangement): Promise<Result<CreateLeadAnswer, FunctionFailure>> =>
  invokeFunction('create-lead', {
    body: {
      id,
      name,
      email: email ?? null,
      phone: phone ?? null,
      wish,
      page: location.pathname.slice(0, 200),
    },
    answer: createLeadAnswer,
  })
