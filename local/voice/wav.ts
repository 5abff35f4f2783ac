const rate = 8_000

/**
 * Makes a recording: a tone for each turn, the agent's higher than the caller's.
 * @param turns the speakers, in their order
 * @returns a mono WAV file with eight bits a sample
 */
export function wavOf(turns: readonly ('agent' | 'caller')[]): Buffer<ArrayBuffer> {
  const samplesPerTurn = rate / 2
  const data = Buffer.alloc(Math.max(1, turns.length) * samplesPerTurn, 128)
  turns.forEach((who, turn) => {
    const frequency = who === 'agent' ? 440 : 330
    // The last tenth is silent.
    for (let at = 0; at < samplesPerTurn * 0.9; at++)
      data[turn * samplesPerTurn + at] =
        128 + Math.round(40 * Math.sin((2 * Math.PI * frequency * at) / rate))
  })
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}
