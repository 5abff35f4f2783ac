import * as z from 'zod/mini'

const text = z.nullish(z.string().check(z.regex(/^[^\0]*$/)))
const texts = z.nullish(z.array(z.string()))
const object = z.nullish(z.record(z.string(), z.unknown()))
const whole = z.nullish(z.int().check(z.minimum(0)))

/** The fields of the bodies that supabase-js sends to /auth/v1 and /storage/v1. */
const body = z.looseObject({
  email: text,
  password: text,
  type: text,
  token: text,
  token_hash: text,
  refresh_token: text,
  data: object,
  user_metadata: object,
  app_metadata: object,
  prefix: text,
  search: text,
  limit: whole,
  offset: whole,
  sortBy: z.nullish(
    z.object({
      column: z.optional(z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at'])),
      order: z.optional(z.enum(['asc', 'desc'])),
    }),
  ),
  prefixes: texts,
  paths: texts,
  expiresIn: whole,
  bucketId: text,
  sourceKey: text,
  destinationKey: text,
})

/** Tells whether a path cannot be decoded, or holds a character that PostgreSQL refuses. */
export function isMalformedPath(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname).includes('\0')
  } catch {
    return true
  }
}

/**
 * Reads the JSON body of a request to /auth/v1 or /storage/v1, without fields that are null.
 * @returns undefined if a field has another type than supabase-js sends; @supabase/lite would fail on it
 */
export function readFields(json: string): object | undefined {
  try {
    const { data } = z.safeParse(body, JSON.parse(json))
    return data && Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
  } catch {
    return undefined
  }
}
