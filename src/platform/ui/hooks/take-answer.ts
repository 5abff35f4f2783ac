/**
 * Takes the answer to a request of an effect, unless the effect has ended by then.
 * @returns what ends the effect
 */
export function takeAnswer<Answer>(request: Promise<Answer>, take: (answer: Answer) => void): () => void {
  let isOver = false
  void request.then((answer) => {
    if (!isOver) take(answer)
  })
  return () => void (isOver = true)
}
