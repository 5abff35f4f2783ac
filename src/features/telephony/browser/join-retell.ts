import { RetellWebClient } from 'retell-client-js-sdk'
import type { JoinedCall } from '#telephony/domain/test-call.ts'
import type { TestTicket } from '#telephony/domain/voice-line.ts'

/** Joins a call that our server has asked Retell for. */
export function joinRetell(
  { accessToken }: Extract<TestTicket, { provider: 'retell' }>,
  onEnd: () => void,
): JoinedCall {
  const retell = new RetellWebClient()
  let isGivenUp = false
  const joined = new Promise<void>((resolve, reject) => {
    retell.on('call_ready', resolve)
    retell.on('error', (reason: string) => reject(new Error(reason)))
  })
  retell.on('call_ended', onEnd)
  // The SDK cannot stop a call that is being connected.
  retell.on('call_started', () => {
    if (isGivenUp) retell.stopCall()
  })
  void retell.startCall({ accessToken })
  return {
    joined,
    hangUp() {
      isGivenUp = true
      retell.stopCall()
    },
  }
}
