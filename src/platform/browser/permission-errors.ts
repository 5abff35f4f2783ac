const listeners = new Set<() => void>()

/** Reports that the database refused the signed-in user a change. Its policies do so once a customer is blocked. */
export function reportPermissionDenied(): void {
  for (const listener of listeners) listener()
}

/**
 * Calls the listener at every refused change.
 * @returns a function that removes the listener
 */
export function onPermissionDenied(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Fetches, and reports a refused change. A refused read is not reported, because listeners read again. */
export const fetchReportingDenials: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
  if (answer.status === 403 && method !== 'GET' && method !== 'HEAD') reportPermissionDenied()
  return answer
}
