import { describe, expect, test } from 'vitest'
import {
  announcementAt,
  levelOf,
  levelText,
  maximumSeconds,
  minimumSeconds,
  obstacleOf,
  obstacleText,
  textToRead,
  transition,
  type Obstacle,
  type Recording,
  type RecordingEvent,
} from './recording.ts'

const take = (seconds: number) => ({ file: new File([], `${seconds}.wav`), seconds })
const earlier = take(61)
const empty: Recording = { status: 'ready', take: null, problem: null }
const reviewing: Recording = { status: 'ready', take: earlier, problem: null }
const requesting: Recording = { status: 'requestingMicrophone', attempt: 2, take: earlier }
const recording: Recording = { status: 'recording', attempt: 2, take: earlier }
const converting: Recording = { status: 'converting', attempt: 2, take: earlier, interruption: null }
const converted = (seconds: number, loudness = 0.05): RecordingEvent => ({
  type: 'converted',
  attempt: 2,
  take: take(seconds),
  loudness,
})

describe('a recording', () => {
  test.each(Object.keys(obstacleText) as Obstacle[])(
    'that fails (%s) says so and keeps the earlier take',
    (obstacle) => {
      for (const state of [requesting, converting])
        expect(transition(state, { type: 'failed', attempt: 2, obstacle })).toEqual({
          state: { status: 'ready', take: earlier, problem: obstacleText[obstacle] },
          commands: [{ type: 'drop' }],
        })
    },
  )
  test.each([
    ['too short', converted(minimumSeconds - 0.1), /shorter than 10 seconds/],
    ['silent', converted(60, 0.0001), /heard nothing/],
  ])('that is %s keeps the earlier take, and the next try begins', (_, event, problem) => {
    const { state } = transition(converting, event)
    expect(state).toEqual({ status: 'ready', take: earlier, problem: expect.stringMatching(problem) })
    expect(transition(state, { type: 'recordPressed', attempt: 3 }).state.status).toBe('requestingMicrophone')
  })
  test.each([
    ['unplugged', /disconnected/],
    ['hidden', /in the background/],
    ['full', /by itself after 2:00/],
  ] as const)('that is interrupted (%s) is kept, and says so', (interruption, problem) => {
    const { state, commands } = transition(recording, { type: 'interrupted', attempt: 2, interruption })
    expect(commands).toEqual([{ type: 'stop', attempt: 2 }])
    expect(transition(state, converted(30)).state).toMatchObject({
      status: 'ready',
      take: { seconds: 30 },
      problem: expect.stringMatching(problem),
    })
    const failed: RecordingEvent = { type: 'failed', attempt: 2, obstacle: 'too-short' }
    for (const event of [converted(3), failed]) {
      const short = transition(state, event).state
      expect(short).toMatchObject({ take: earlier, problem: expect.stringMatching(problem) })
      expect(short).toMatchObject({ problem: expect.stringContaining('shorter than') })
    }
  })
  test.each([requesting, recording, converting])(
    'that is cancelled while $status releases the microphone',
    (state) => {
      expect(transition(state, { type: 'cancelPressed' })).toEqual({
        state: reviewing,
        commands: [{ type: 'drop' }],
      })
    },
  )
  test('answers to an earlier attempt are ignored', () => {
    for (const state of [empty, reviewing, { ...recording, attempt: 3 }, { ...converting, attempt: 3 }])
      for (const event of [
        { type: 'started', attempt: 2 },
        { type: 'failed', attempt: 2, obstacle: 'refused' },
        { type: 'interrupted', attempt: 2, interruption: 'unplugged' },
        converted(60),
      ] satisfies RecordingEvent[])
        expect(transition(state, event)).toEqual({ state, commands: [] })
  })
  test('a second press of a button changes nothing', () => {
    for (const state of [requesting, recording, converting])
      expect(transition(state, { type: 'recordPressed', attempt: 5 })).toEqual({ state, commands: [] })
    for (const state of [empty, requesting, converting])
      expect(transition(state, { type: 'stopPressed' })).toEqual({ state, commands: [] })
  })
})

test.each([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'no-microphone'],
  ['OverconstrainedError', 'no-microphone'],
  ['NotReadableError', 'microphone-in-use'],
  ['AbortError', 'microphone-in-use'],
])('%s of the browser: %s', (name, obstacle) => {
  expect(obstacleOf(name)).toBe(obstacle)
})

test('the meter and its words follow the loudness', () => {
  expect([0, 0.001, 0.5, 0.9].map(levelOf)).toEqual([0, 0, 1, 1])
  expect(levelOf(0.02)).toBeGreaterThan(levelOf(0.01))
  expect([0, 0.05, 0.6].map(levelText)).toEqual([
    'We hear nothing',
    'We hear you',
    'Too loud: move back a little',
  ])
})

test('a screen reader hears the time every twenty seconds, and the full minute', () => {
  const said = Array.from({ length: maximumSeconds }, (_, second) => announcementAt(second)).filter(Boolean)
  expect(said).toEqual([
    '20 of 60 seconds',
    '40 of 60 seconds',
    'One minute is reached. Finish the text, then press Stop.',
  ])
})

test('the text takes about a minute', () => {
  const words = textToRead.join(' ').split(' ').length
  // 140 to 180 words a minute are a calm pace.
  expect(words).toBeGreaterThan(140)
  expect(words).toBeLessThan(180)
})
