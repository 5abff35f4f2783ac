import { expect, test } from 'vitest'
import {
  announcementAt,
  endOf,
  levelOf,
  levelText,
  maximumSeconds,
  minimumSeconds,
  obstacleOf,
  textToRead,
} from './recording.ts'

const take = (seconds: number) => ({ file: new File([], `${seconds}.wav`), seconds })
const recorded = (seconds: number, loudness = 0.05) => ({ take: take(seconds), loudness })
const earlier = take(61)

test.each([
  ['too short', recorded(minimumSeconds - 0.1), /^That was shorter than 10 seconds/],
  ['silent', recorded(60, 0.0001), /^We heard nothing/],
  ['unreadable', 'unreadable', /^The recording could not be read/],
] as const)('a recording that is %s keeps the earlier take, and says so', (_, made, problem) => {
  expect(endOf(earlier, made, null)).toEqual({
    status: 'ready',
    take: earlier,
    problem: expect.stringMatching(problem),
  })
})

test.each([
  ['unplugged', /disconnected/],
  ['hidden', /in the background/],
  ['full', /by itself after 2:00/],
] as const)(
  'a recording that is interrupted (%s) is kept if it is long enough, and says why',
  (cause, problem) => {
    expect(endOf(earlier, recorded(30), cause)).toMatchObject({
      take: { seconds: 30 },
      problem: expect.stringMatching(problem),
    })
    const short = endOf(earlier, 'too-short', cause)
    expect(short).toMatchObject({ take: earlier, problem: expect.stringMatching(problem) })
    expect(short.problem).toContain('shorter than')
  },
)

test.each([
  ['NotSupportedError', 'unsupported'],
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
