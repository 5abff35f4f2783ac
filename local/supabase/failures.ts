/** Returns an error in the format of the auth API, from which supabase-js reads code and message. */
export const authFailure = (status: number, errorCode: string, message: string): Response =>
  Response.json(
    { code: status, error_code: errorCode, msg: message },
    { status, headers: { 'x-sb-error-code': errorCode } },
  )

/** Returns an error in the format of the storage API: HTTP 400 or 500, with the actual status in the body. */
export const storageFailure = (statusCode: number, error: string, message: string): Response =>
  Response.json({ statusCode: String(statusCode), error, message }, { status: statusCode < 500 ? 400 : 500 })
