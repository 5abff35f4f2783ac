/**
 * Records what the site plays: each line of content/voices and content/demos is spoken by a speech synthesizer, each
 * recording becomes the mp3 file that its front matter names. The same packages give the same bytes.
 *
 *   apt-get install rhvoice rhvoice-english praat sox ffmpeg lame     (Debian 12, with the component non-free)
 *   node local/audio/record.ts [name …]     all of them, or those that are named
 *
 * The voices alan, bdl, clb and slt of rhvoice-english are free for any use (LGPL, CMU Arctic); its other voices are
 * not for commercial use. The files in public/audio are committed: nothing builds them.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { turnsOf } from '#calls/domain/transcript.ts'

/** How somebody speaks. */
interface Speaker {
  voice: 'alan' | 'bdl' | 'clb' | 'slt'
  /** Percent of the synthesizer's own. */
  rate: number
  /** Factors: the height of the voice, and how far its melody moves around it. */
  height: number
  melody: number
  /** Seconds between two sentences. */
  breath: number
  /** The sound engineer's part: effects of sox. */
  effects: string
}

/** A clear voice in a small room. */
const near = 'highpass 70 equalizer 250 1q -2 equalizer 3000 1q 2.5 treble 3 6500 0.5 reverb 4 80 6 0 0 -8'
/** A telephone line carries 300 to 3400 Hz. */
const far = 'equalizer 1800 1q 3 highpass 300 highpass 300 lowpass 3400 rate 8000 rate 24000'

const agents = {
  friendly: { voice: 'clb', rate: 106, height: 1.04, melody: 1.45, breath: 0.34, effects: near },
  professional: { voice: 'alan', rate: 103, height: 0.94, melody: 0.95, breath: 0.42, effects: near },
  energetic: { voice: 'slt', rate: 109, height: 1.1, melody: 1.5, breath: 0.3, effects: near },
} satisfies Record<string, Speaker>
type Style = keyof typeof agents

const callers = {
  man: { voice: 'bdl', rate: 104, height: 0.98, melody: 1, breath: 0.3, effects: far },
  woman: { voice: 'slt', rate: 102, height: 1, melody: 1.4, breath: 0.3, effects: far },
} satisfies Record<string, Speaker>

/** Who is heard in which demo. */
const cast: Record<string, { agent: Style; caller: keyof typeof callers }> = {
  hotel: { agent: 'friendly', caller: 'man' },
  restaurant: { agent: 'energetic', caller: 'man' },
  clinic: { agent: 'professional', caller: 'woman' },
}

const loudness = -16
const maxBytes = 58_000

/** Moves a melody (semitones around its mean) and lets a question that wants yes or no rise at its end. */
const prosody = `form Prosody
  text from
  text to
  real height 1
  real melody 1
  real rise 0
endform
sound = Read from file: from$
seconds = Get total duration
manipulation = To Manipulation: 0.01, 60, 400
old = Extract pitch tier
points = Get number of points
last = Get time from index: points
sum = 0
for i to points
  hertz = Get value at index: i
  sum += ln(hertz)
endfor
mean = exp(sum / points)
new = Create PitchTier: "new", 0, seconds
for i to points
  selectObject: old
  time = Get time from index: i
  hertz = Get value at index: i
  semitones = melody * 12 * log2(hertz / mean) + rise * max(0, 1 + (time - last) / 0.32)
  selectObject: new
  Add point: time, mean * height * 2 ^ (semitones / 12)
endfor
selectObject: manipulation, new
Replace pitch tier
selectObject: manipulation
Get resynthesis (overlap-add)
Save as WAV file: to$
`

const work = mkdtempSync(join(tmpdir(), 'deskbell-audio-'))
const script = join(work, 'prosody.praat')
writeFileSync(script, prosody)

let count = 0
const fresh = (): string => join(work, `${(count += 1)}.wav`)
const run = (command: string, args: readonly (string | number)[], input?: string): string =>
  execFileSync(command, args.map(String), { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'ignore'] })
const secondsOf = (file: string): number => Number(run('soxi', ['-D', file]))
const sox = (from: readonly string[], effects: string): string => {
  const to = fresh()
  run('sox', ['-R', ...from, '-b', 24, '-e', 'signed-integer', to, ...effects.split(' ').filter(Boolean)])
  return to
}

const wantsYesOrNo = (sentence: string): boolean =>
  sentence.endsWith('?') && !/^(how|what|when|where|which|who|why)\b/i.test(sentence)

/** One sentence, without the silence around it. */
function speak(sentence: string, { voice, rate, height, melody }: Speaker): string {
  const said = fresh()
  const moved = fresh()
  const spoken = sentence.replaceAll('’', "'")
  run('RHVoice-test', ['-p', voice, '-q', 'max', '-R', 24000, '-r', rate, '-o', said], spoken)
  run('praat', ['--run', script, said, moved, height, melody, wantsYesOrNo(sentence) ? 4 : 0])
  const edge = 'silence 1 0.01 0.15% fade 0.02 reverse'
  return sox([moved], `${edge} ${edge}`)
}

/** Integrated loudness in LUFS (EBU R 128) and the highest true peak in decibels. */
function measure(file: string): { loudness: number; peak: number } {
  const args = ['-hide_banner', '-nostats', '-i', file, '-af', 'ebur128=peak=true', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
  const [, loud, peak] = /Summary:[^]*I: +(\S+) LUFS[^]*Peak: +(\S+) dBFS/.exec(stderr) ?? []
  return { loudness: Number(loud), peak: Number(peak) }
}

const levelled = (file: string, target: number): string =>
  sox([file], `gain ${(target - measure(file).loudness).toFixed(2)}`)

/** All that somebody says in one go. */
function turn(words: string, speaker: Speaker): string {
  const sentences = words.match(/[^.!?]+[.!?]/g) ?? [words]
  const spoken = sentences.map((sentence) =>
    sox([speak(sentence.trim(), speaker)], `pad 0 ${speaker.breath}`),
  )
  const even = 'compand 0.01,0.2 6:-70,-70,-45,-43,-25,-25,-10,-16,0,-11'
  return levelled(sox([levelled(sox(spoken, ''), -20)], `${even} ${speaker.effects}`), loudness)
}

/** What the caller hears before somebody answers. */
function ring(): string {
  const to = fresh()
  const tones = 'synth 1 sine 440 synth 1 sine mix 480 fade 0.02 1 0.02 gain -24 pad 0 0.3'
  run('sox', ['-R', '-n', '-r', 24000, '-c', 1, '-b', 24, to, ...tones.split(' ')])
  return to
}

/** Holds peaks 3 dB below full scale, because mp3 overshoots. */
function limited(file: string): string {
  const to = fresh()
  const limiter = 'alimiter=limit=0.7:attack=4:release=60:level=false'
  run('ffmpeg', ['-v', 'error', '-i', file, '-af', limiter, '-c:a', 'pcm_s24le', '-bitexact', to])
  return to
}

/** A demo rings and has two people, a voice style is its agent alone. */
function mix(name: string, text: string): string {
  const role = cast[name]
  const agent = agents[role?.agent ?? (name as Style)]
  const turns = turnsOf(text).map(({ who, words }) =>
    turn(words, role && who === 'Caller' ? callers[role.caller] : agent),
  )
  const whole = sox(role ? [ring(), ...turns] : turns, 'pad 0.05 0.1')
  // Limiting takes a little loudness away: the second round gives it back.
  return limited(levelled(limited(levelled(whole, loudness)), loudness))
}

/** As many bits as the limit allows; a narrow band sounds better than a wide one that is starved. */
function encode(master: string, to: string): void {
  const rate = Math.min(48, Math.floor((maxBytes * 8) / secondsOf(master) / 1000))
  const kilohertz = rate < 30 ? 16 : 24
  run('lame', ['--quiet', '-m', 'm', '-q', 0, '--abr', rate, '--resample', kilohertz, master, to])
}

const wanted = process.argv.slice(2)
for (const file of globSync('content/{voices,demos}/*.md').sort()) {
  const name = basename(file, '.md')
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const [, , text = ''] = readFileSync(file, 'utf8').split(/^---$/m)
  const to = join('public/audio', `${name}.mp3`)
  encode(mix(name, text), to)
  const { loudness, peak } = measure(to)
  console.log(to, secondsOf(to), 's', statSync(to).size, 'bytes', loudness, 'LUFS, peak', peak, 'dB')
}
rmSync(work, { recursive: true })
