/** Sampling rates in Hz and bit rates in kbit/s, by the fields of a frame header (ISO 11172-3, 13818-3). */
const samplingRates = { 0: [11_025, 12_000, 8_000], 2: [22_050, 24_000, 16_000], 3: [44_100, 48_000, 32_000] }
const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}

interface Mp3 {
  seconds: number
  isMono: boolean
}

/**
 * Reads an mp3 file frame by frame.
 * @throws Error if a byte does not belong to a frame of layer III
 */
export function readMp3(file: Uint8Array): Mp3 {
  let seconds = 0
  let isMono = true
  for (let at = 0; at < file.length;) {
    const [first = 0, second = 0, third = 0, fourth = 0] = file.subarray(at)
    const version = ((second >> 3) & 3) as 0 | 2 | 3
    const rate = samplingRates[version]?.[(third >> 2) & 3]
    const bits = bitRates[version === 3 ? 'mpeg1' : 'mpeg2'][third >> 4]
    if (first !== 0xff || second >> 5 !== 7 || ((second >> 1) & 3) !== 1 || !rate || !bits)
      throw new Error(`No frame of an mp3 file at byte ${at}`)
    const samples = version === 3 ? 1152 : 576
    const bytes = Math.floor((samples * bits * 125) / rate) + ((third >> 1) & 1)
    // The encoder's information frame at the start has no sound.
    const hasSound = !/Xing|Info/.test(Buffer.from(file.subarray(at, at + 64)).toString('latin1'))
    if (hasSound) seconds += samples / rate
    if (fourth >> 6 !== 3) isMono = false
    at += bytes
  }
  return { seconds, isMono }
}
