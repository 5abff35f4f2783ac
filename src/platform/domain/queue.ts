/** Creates a queue that runs one task after another, in order. A task that fails does not stop the next one. */
export function createSerialQueue(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => undefined)
    return result
  }
}
