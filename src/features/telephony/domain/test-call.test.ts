import { describe, expect, test } from 'vitest'
import {
  testCallProblems,
  transition,
  type TestCall,
  type TestCallCommand,
  type TestCallEvent,
} from './test-call.ts'

const ticket = { call: 'vapi:1', url: 'https://vapi.daily.co/1' }
const agent = 'second desk'
const idle: TestCall = { status: 'idle', problem: null }
const requesting: TestCall = { status: 'requestingMicrophone', attempt: 1, agent }
const connecting: TestCall = { status: 'connecting', attempt: 1 }
const talking: TestCall = { status: 'talking', attempt: 1, since: 1_000 }
const ended: TestCall = { status: 'ended', seconds: 61 }
const hangUp = { type: 'hangUp' } as const
const lost: TestCall = { status: 'idle', problem: testCallProblems.lost }

describe('a call from the browser', () => {
  test.each<[string, TestCall, TestCallEvent, TestCall, TestCallCommand[]]>([
    [
      'asks for the microphone first',
      idle,
      { type: 'callPressed', attempt: 1, agent },
      requesting,
      [{ type: 'requestMicrophone', attempt: 1 }],
    ],
    [
      'begins again after its end',
      ended,
      { type: 'callPressed', attempt: 1, agent },
      requesting,
      [{ type: 'requestMicrophone', attempt: 1 }],
    ],
    [
      'is prepared once the microphone is allowed',
      requesting,
      { type: 'microphoneAllowed', attempt: 1 },
      connecting,
      [{ type: 'prepare', attempt: 1, agent }],
    ],
    [
      'is joined with its ticket',
      connecting,
      { type: 'prepared', attempt: 1, ticket },
      connecting,
      [{ type: 'join', attempt: 1, ticket }],
    ],
    ['talks', connecting, { type: 'joined', attempt: 1, at: 1_000 }, talking, []],
    ['ends if the agent hangs up', talking, { type: 'ended', attempt: 1, at: 62_999 }, ended, [hangUp]],
    ['ends if the customer hangs up', talking, { type: 'hangUpPressed', at: 62_000 }, ended, [hangUp]],
    ['is given up before anybody talks', connecting, { type: 'hangUpPressed', at: 0 }, idle, [hangUp]],
    [
      'fails if it ends before anybody talks',
      connecting,
      { type: 'ended', attempt: 1, at: 0 },
      lost,
      [hangUp],
    ],
    [
      'says why there is none',
      requesting,
      { type: 'failed', attempt: 1, problem: 'No.' },
      { status: 'idle', problem: 'No.' },
      [hangUp],
    ],
    ['is not begun twice', talking, { type: 'callPressed', attempt: 2, agent }, talking, []],
    [
      'ignores an earlier attempt that was prepared',
      { ...connecting, attempt: 2 },
      { type: 'prepared', attempt: 1, ticket },
      { ...connecting, attempt: 2 },
      [],
    ],
    [
      'ignores an earlier attempt that failed',
      { ...talking, attempt: 2 },
      { type: 'failed', attempt: 1, problem: 'No.' },
      { ...talking, attempt: 2 },
      [],
    ],
    ['is not prepared after it was given up', idle, { type: 'prepared', attempt: 1, ticket }, idle, []],
  ])('%s', (_, state, event, after, commands) => {
    expect(transition(state, event)).toEqual({ state: after, commands })
  })
})
