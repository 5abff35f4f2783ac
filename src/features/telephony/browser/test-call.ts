import { accessToken } from '#account/browser/session.ts'
import { obstacleOf } from '#agent/domain/voice/recording.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import {
  testCallProblems,
  transition,
  type JoinedCall,
  type TestCall,
  type TestCallCommand,
  type TestCallEvent,
} from '#telephony/domain/test-call.ts'
import { testTicket, type TestTicket } from '#telephony/domain/voice-line.ts'

/** The longest wait for the connection, in milliseconds. */
const patience = 25_000

/** Creates the page's calls to its customer's agents. */
export function createTestCall(): Flow<TestCall, TestCallEvent> {
  let call: JoinedCall | undefined

  async function requestMicrophone(attempt: number): Promise<TestCallEvent> {
    const failed = (problem: keyof typeof testCallProblems): TestCallEvent => ({
      type: 'failed',
      attempt,
      problem: testCallProblems[problem],
    })
    if (!('mediaDevices' in navigator) || !('RTCPeerConnection' in window)) return failed('unsupported')
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      // The SDK opens it again, without a question.
      for (const track of stream.getTracks()) track.stop()
      return { type: 'microphoneAllowed', attempt }
    } catch (error) {
      const obstacle = obstacleOf((error as Error).name)
      return failed(obstacle === 'refused' || obstacle === 'no-microphone' ? obstacle : 'microphone-in-use')
    }
  }

  async function prepare(attempt: number, agent: string): Promise<TestCallEvent> {
    const token = await accessToken()
    const answer = await invokeFunction('start-test-call', {
      body: { agent },
      answer: testTicket,
      accessToken: token,
    })
    return answer.ok
      ? { type: 'prepared', attempt, ticket: answer.value }
      : { type: 'failed', attempt, problem: answer.failure.message }
  }

  async function join(attempt: number, ticket: TestTicket): Promise<TestCallEvent | undefined> {
    const isCurrent = (): boolean => {
      const state = flow.state.get()
      return state.status === 'connecting' && state.attempt === attempt
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const { joinVapi } = await import('./join-vapi.ts')
      const joining = joinVapi(ticket, () => flow.send({ type: 'ended', attempt, at: Date.now() }))
      // The customer may have hung up meanwhile.
      if (!isCurrent()) {
        joining.joined.catch(() => undefined)
        joining.hangUp()
        return undefined
      }
      call = joining
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('No connection in time')), patience)
      })
      await Promise.race([joining.joined, late])
      return { type: 'joined', attempt, at: Date.now() }
    } catch {
      return { type: 'failed', attempt, problem: testCallProblems.lost }
    } finally {
      clearTimeout(timer)
    }
  }

  const flow = createFlow<TestCall, TestCallEvent, TestCallCommand>({
    initial: { status: 'idle', problem: null },
    transition,
    run(command) {
      switch (command.type) {
        case 'requestMicrophone':
          return requestMicrophone(command.attempt)
        case 'prepare':
          return prepare(command.attempt, command.agent)
        case 'join':
          return join(command.attempt, command.ticket)
        case 'hangUp':
          call?.hangUp()
          call = undefined
          return undefined
      }
    },
  })
  return flow
}
