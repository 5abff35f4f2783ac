/**
 * The database's refusals to change something for the signed-in user. Policies refuse a blocked customer, so a refusal
 * is news about the customer's own status.
 */
const listeners = new Set<() => void>()

export function noteDenial(): void {
  for (const tell of listeners) tell()
}

/** Told of every refusal until the function that is returned is called. */
export function watchDenials(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** `fetch` that notes refused changes. What is only read is left out: reading again is what a refusal leads to. */
export const fetchNotingDenials: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
  if (answer.status === 403 && method !== 'GET' && method !== 'HEAD') noteDenial()
  return answer
}
