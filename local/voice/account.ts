import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Store } from '../stripe/store.ts'
import { Refusal } from './errors.ts'
import type { Call, Fields, ProviderName, Tables, Version, Versioned } from './state.ts'

/** The account at both providers, and what all parts of the stand-in need. */
export interface Account {
  store: Store<Tables>
  /** The URL under which the stand-in is mounted, without a slash at its end. */
  publicUrl: string
  keys: {
    vapi: string
    /** The secret of Vapi's webhook credential, and the credential's id. */
    vapiWebhookSecret: string
    vapiCredential: string
    retell: string
  }
  /** How long Vapi takes to activate a number, in milliseconds. */
  activation: number
}

export const newId = (): string => randomUUID()

export const latest = ({ versions }: Versioned): Version => versions.at(-1) as Version

/** Returns the version that a name such as `latest_published` means, if there is one. */
export const versionOf = ({ versions }: Versioned, name: unknown = 'latest'): Version | undefined =>
  name === 'latest'
    ? versions.at(-1)
    : name === 'latest_published'
      ? versions.findLast(({ is_published }) => is_published)
      : versions.find(({ version }) => version === name)

const lists = { vapi: 'vapiNumbers', retell: 'retellNumbers' } as const

/** The numbers that customers brought, whose operators are their own. They are reserved for fiction. */
export const broughtNumbers = ['+12025550181', '+12025550182', '+12025550183'] as const

/** Returns a number of the area that is not in use; those numbers are reserved for fiction. */
export function freeNumber({ store }: Account, provider: 'vapi' | 'retell', area: string): string {
  const used = new Set(
    store
      .all(lists[provider])
      .map((each) => ('phone_number' in each ? each.phone_number : each.number) as string),
  )
  for (let last = 100; last < 200; last++) {
    const number = `+1${area}5550${last}`
    if (!used.has(number)) return number
  }
  throw new Refusal(400, `No phone numbers are available in the area code ${area}.`)
}

const signatureOf = (account: Account, path: string): string =>
  createHmac('sha256', account.keys.retell).update(path).digest('hex')

/** Returns the URL of a call's recording. A signed one expires. */
export function recordingUrl(account: Account, call: Call, lifetime: number | null): string {
  const path = `/recordings/${call.id}.wav`
  if (lifetime === null) return `${account.publicUrl}${path}`
  const expires = Date.now() + lifetime
  return `${account.publicUrl}${path}?expires=${expires}&signature=${signatureOf(account, `${path}${expires}`)}`
}

/** Whether a recording's URL is signed and has not expired. */
export function opens(account: Account, path: string, expires: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(account, `${path}${expires}`))
  const given = Buffer.from(signature)
  return Number(expires) >= Date.now() && given.length === expected.length && timingSafeEqual(given, expected)
}

/** A day, for signed recordings. */
export const day = 86_400_000

type Circumstances = Pick<
  Call,
  'type' | 'direction' | 'number' | 'other' | 'metadata' | 'variables' | 'longest' | 'firstWords'
>
/** Returns a call that has not begun. */
export const newCall = (
  provider: ProviderName,
  agent: string,
  circumstances: Circumstances & { id?: string; version?: number | null },
): Call => ({
  id: newId(),
  provider,
  agent,
  version: null,
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
export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
