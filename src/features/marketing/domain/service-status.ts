/**
 * Says how the service is, by the status with which the health function answers: 200 if all is well, 503 if something fails.
 * @param answer undefined if there was no answer
 */
export function serviceStatus(answer: number | undefined): string {
  if (answer === 200) return 'Right now: everything is working.'
  if (answer === 503) return 'Right now: something is not working. We have been told, and are on it.'
  return 'Right now: the status cannot be read from here.'
}
