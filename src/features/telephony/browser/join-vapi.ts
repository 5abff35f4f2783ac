import sdk from '@vapi-ai/web'
import type { JoinedCall } from '#telephony/domain/test-call.ts'
import type { TestTicket } from '#telephony/domain/voice-line.ts'

// In a package of ES modules, what a CommonJS module exports is its default; the types say otherwise.
const { default: Vapi } = sdk as unknown as { default: typeof sdk }

/** Joins a call that our server has asked Vapi for; the page needs no key. */
export function joinVapi({ url }: TestTicket, onEnd: () => void): JoinedCall {
  // Without avoidEval, Daily's code would be run by Function(), which our content policy forbids.
  const vapi = new Vapi('', undefined, { avoidEval: true })
  let isTalking = false
  const end = (): void => {
    isTalking = false
    onEnd()
  }
  vapi.on('call-end', end)
  // Failures of the join reject it. Those of noise cancellation are reported here too, but the call goes on.
  vapi.on('error', (error: { type?: string }) => {
    if (error.type === 'daily-error') end()
  })
  return {
    joined: vapi.reconnect({ webCallUrl: url }).then(() => void (isTalking = true)),
    hangUp() {
      if (isTalking) vapi.end()
      else void vapi.stop().catch(() => undefined)
      isTalking = false
    },
  }
}
