import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationLabel } from '#platform/domain/text/duration.ts'
import {
  checkSample,
  convertedMaxSeconds,
  samplePath,
  sniffAudio,
  voiceSampleMaxBytes,
} from './voice-sample.ts'
import { recordedRate } from './wav.ts'
import { sizeLabel } from '#platform/domain/text/numbers.ts'

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const wav = bytesOf('RIFF\x24\x00\x00\x00WAVE')
const flac = bytesOf('fLaC\x00\x00\x00\x22')
const id3 = bytesOf('ID3\x04\x00\x00\x00\x00\x00\x00')
const frame = Uint8Array.of(0xff, 0xfb, 0x90, 0x64)

describe('leading bytes', () => {
  test.each([
    ['RIFF/WAVE', wav, 'wav'],
    ['fLaC', flac, 'flac'],
    ['ID3', id3, 'mp3'],
    ['MPEG 1 layer III', frame, 'mp3'],
    ['MPEG 2 layer III', Uint8Array.of(0xff, 0xf3, 0x40, 0xc4), 'mp3'],
    ['AAC (layer 0)', Uint8Array.of(0xff, 0xf1, 0x50, 0x80), null],
    ['a reserved bit rate', Uint8Array.of(0xff, 0xfb, 0xf0, 0x64), null],
    ['a reserved sampling rate', Uint8Array.of(0xff, 0xfb, 0x9c, 0x64), null],
    ['UTF-16 text', Uint8Array.of(0xff, 0xfe, 0x41, 0x00), null],
    ['RIFF, but a picture', bytesOf('RIFF\x24\x00\x00\x00WEBP'), null],
    ['M4A', bytesOf('\x00\x00\x00\x20ftypM4A '), null],
    ['Ogg', bytesOf('OggS\x00\x02'), null],
    ['a program', bytesOf('MZ\x90\x00'), null],
    ['nothing', new Uint8Array(), null],
    ['half a signature', bytesOf('RIFF'), null],
  ])('%s', (_, head, kind) => {
    expect(sniffAudio(head)).toBe(kind)
  })
})

describe('check', () => {
  const file = (name: string, head = wav, bytes = 1000) => checkSample({ name, bytes, head })
  test.each(['desk.wav', 'Desk.WAV', 'a.b.wav'])('accepts %s', (name) => {
    expect(file(name)).toEqual({ ok: true, kind: 'wav' })
  })
  test('the bytes decide the kind, the extension only whether the file is accepted', () => {
    expect(file('desk.mp3', flac)).toEqual({ ok: true, kind: 'flac' })
  })
  test.each(['desk.aiff', 'desk', 'wav', 'desk.wav.exe', '.mp3x', 'desk.mp3 '])(
    'refuses the name %s',
    (name) => {
      expect(file(name)).toEqual({ ok: false, problem: 'wrong-extension' })
    },
  )
  test.each([
    ['memo.m4a', '\x00\x00\x00\x20ftypM4A '],
    ['voice.mp4', '\x00\x00\x00\x18ftypmp42'],
    ['note.3gp', '\x00\x00\x00\x14ftyp3gp4'],
    ['PTT-1.opus', 'OggS\x00\x02\x00\x00\x00\x00\x00\x00'],
    ['voice.ogg', 'OggS\x00\x02\x00\x00\x00\x00\x00\x00'],
    ['audio.webm', '\x1aE\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81'],
    ['old.caf', 'caff\x00\x01\x00\x00desc'],
    ['stream.aac', '\xff\xf1\x50\x80\x00\x00\x00\x00\x00\x00\x00\x00'],
    ['renamed.wav', '\x00\x00\x00\x20ftypM4A '],
    ['renamed.mp3', '\x00\x00\x00\x20ftypM4A '],
  ])('converts what a phone or a browser has recorded: %s', (name, head) => {
    expect(file(name, bytesOf(head))).toEqual({ ok: true, kind: null })
  })
  test.each(['memo.m4a', 'voice.ogg', 'audio.webm'])('uploads %s as it is, if it is a WAV file', (name) => {
    expect(file(name)).toEqual({ ok: true, kind: 'wav' })
  })
  test('refuses a file that is called a recording and is none, empty or too large', () => {
    const m4a = bytesOf('\x00\x00\x00\x20ftypM4A ')
    expect(file('memo.m4a', bytesOf('hello, I am text'))).toEqual({ ok: false, problem: 'not-audio' })
    expect(file('memo.m4a', m4a, 0)).toEqual({ ok: false, problem: 'empty' })
    expect(file('memo.m4a', m4a, voiceSampleMaxBytes + 1)).toEqual({ ok: false, problem: 'too-large' })
  })
  test('a converted recording of the greatest length is not too large', () => {
    expect(44 + convertedMaxSeconds * recordedRate * 2).toBeLessThanOrEqual(voiceSampleMaxBytes)
  })
  test('40. Refuses an empty file, one over 25 MB and one that is not audio', () => {
    expect(file('desk.wav', new Uint8Array(), 0)).toEqual({ ok: false, problem: 'empty' })
    expect(file('desk.wav', wav, voiceSampleMaxBytes + 1)).toEqual({ ok: false, problem: 'too-large' })
    expect(file('desk.wav', wav, voiceSampleMaxBytes)).toEqual({ ok: true, kind: 'wav' })
    expect(file('desk.wav', bytesOf('hello, I am text'))).toEqual({ ok: false, problem: 'not-audio' })
  })
})

describe('path', () => {
  test.each([
    ['Front Desk (2).wav', 'a1/7-front-desk-2.wav'],
    ['Zoë.wav', 'a1/7-zoe.wav'],
    ['../../etc/passwd.wav', 'a1/7-etc-passwd.wav'],
    ['声.wav', 'a1/7-voice.wav'],
  ])('%s', (name, path) => {
    expect(samplePath('a1', 7, name, 'wav')).toBe(path)
  })
  test('is safe and stays in the folder, whatever the file is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        expect(samplePath('a1', 7, name, 'mp3')).toMatch(/^a1\/7-[a-z0-9-]{1,60}\.mp3$/)
      }),
    )
  })
})

test('labels', () => {
  expect([sizeLabel(12_400_000), sizeLabel(340_200), sizeLabel(1)]).toEqual(['12.4 MB', '340 kB', '1 kB'])
  expect([durationLabel(72.4), durationLabel(59.6), durationLabel(5)]).toEqual(['1:12', '1:00', '0:05'])
})
