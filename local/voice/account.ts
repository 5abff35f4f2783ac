import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Store } from '../stripe/store.ts'
import { Refusal } from './errors.ts'
import type { Call, Fields, Tables } from './state.ts'

/** The account at Vapi, and what all parts of the stand-in need. */
export interface Account {
  store: Store<Tables>
  /** The URL under which the stand-in is mounted, without a slash at its end. */
  publicUrl: string
  keys: {
    api: string
    /** The secrets of the webhook credentials, by their ids. */
    secrets: Record<string, string>
  }
  /** How long it takes to activate a number, in milliseconds. */
  activation: number
}

export const newId = (): string => randomUUID()

/** The numbers that customers brought, whose operators are their own. They are reserved for fiction. */
export const broughtNumbers = ['+12025550181', '+12025550182', '+12025550183'] as const

/** Returns a number of the area that is not in use; those numbers are reserved for fiction. */
export function freeNumber({ store }: Account, area: string): string {
  const used = new Set(store.all('numbers').map(({ number }) => number))
  for (let last = 100; last < 200; last++) {
    const number = `+1${area}5550${last}`
    if (!used.has(number)) return number
  }
  throw new Refusal(400, `No phone numbers are available in the area code ${area}.`)
}

const signatureOf = (account: Account, path: string): string =>
  createHmac('sha256', account.keys.api).update(path).digest('hex')

/** Returns the signed URL of a call's recording, which expires. */
export function recordingUrl(account: Account, call: Call, lifetime: number): string {
  const path = `/recordings/${call.id}.wav`
  const expires = Date.now() + lifetime
  return `${account.publicUrl}${path}?expires=${expires}&signature=${signatureOf(account, `${path}${expires}`)}`
}

/** Returns whether a recording's URL is signed and has not expired. */
export function verifyRecordingUrl(
  account: Account,
  path: string,
  expires: string,
  signature: string,
): boolean {
  const expected = Buffer.from(signatureOf(account, `${path}${expires}`))
  const given = Buffer.from(signature)
  return Number(expires) >= Date.now() && given.length === expected.length && timingSafeEqual(given, expected)
}

type Circumstances = Pick<
  Call,
  'type' | 'direction' | 'number' | 'other' | 'metadata' | 'variables' | 'longest' | 'firstWords'
>
/** Returns a call that has not begun. */
export const newCall = (agent: string, circumstances: Circumstances & { id?: string }): Call => ({
  id: newId(),
  agent,
  createdAt: Date.now(),
  startedAt: null,
  endedAt: null,
  endedReason: null,
  recorded: false,
  findings: {},
  turns: [],
  ...circumstances,
})

/** Returns a copy without some fields. */
export const omitFields = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
