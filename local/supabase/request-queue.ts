/**
 * Runs tasks one after another. The embedded database is a single session, and requests that overlapped in it would
 * share one transaction and with it one role.
 */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = tail.then(task)
    tail = done.catch(() => undefined)
    return done
  }
}
