import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const periodMs = 30_000

/** Writes bytes in base32 (RFC 4648), without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/**
 * Returns the one-time code of a secret (RFC 6238: SHA-1, 6 digits, 30 seconds).
 * @param at in milliseconds since 1970
 */
export function totp(secret: string, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / periodMs)))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = digest.at(-1)! & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Tells whether a code is right now, or was or will be within one period: clocks differ. */
export const isTotp = (secret: string, code: string, now: number): boolean =>
  [-1, 0, 1].some((periods) => totp(secret, now + periods * periodMs) === code)
