import { fileTimestamp } from '#platform/domain/text/dates.ts'
import { type MyData, sentMail, type SentMail, ledgerLine, type LedgerLine } from '#portal/domain/my-data.ts'
import { readAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { readKnowledge } from '#agent/browser/knowledge.ts'
import { readBlockedCallers, readCallSettings } from '#telephony/browser/call-settings.ts'
import { readRetention } from '#calls/browser/callers-data.ts'
import { downloadRecording, readAllCalls, readRecordings } from '#calls/browser/calls.ts'
import { readQuestions } from '#calls/browser/questions.ts'
import { downloadVoiceSample } from '#agent/browser/voice/voice-sample-files.ts'
import { readConnections } from '#connections/browser/connections.ts'
import { readBookings, readBookingSetup, readMessages } from '#bookings/browser/bookings.ts'
import type { User } from '#account/browser/session.ts'
import { readSubscription } from '#billing/browser/subscriptions.ts'
import type { NamedFile } from '#platform/browser/save-as-file.ts'
import * as z from 'zod/mini'
import { allRows, allRowsSince, supabase } from '#platform/browser/supabase.ts'
import { voiceConsent, type VoiceConsent } from '#agent/domain/voice/voice-consent.ts'

const extensions: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
}

/**
 * Packs a customer's data, voice sample and recordings of calls into one ZIP file.
 * @param now milliseconds since 1970
 * @returns undefined if a part could not be read: an incomplete file would look complete
 */
export async function packMyData({ id, email }: User, now: number): Promise<NamedFile | undefined> {
  const [
    subscription,
    agent,
    knowledge,
    callSettings,
    blockedCallers,
    retention,
    recordings,
    voiceConsents,
    minutes,
    calls,
    questions,
    bookings,
    bookingSetup,
    messages,
    connections,
    mails,
  ] = await Promise.all([
    readSubscription(id),
    readAgentSettings(id),
    readKnowledge(id),
    readCallSettings(id),
    readBlockedCallers(id),
    readRetention(id),
    readRecordings(id),
    readVoiceConsents(id),
    readMinuteLedger(id),
    readAllCalls(id),
    readQuestions(id),
    readBookings(id),
    readBookingSetup(id),
    readMessages(id),
    readConnections(),
    readSentMails(),
  ])
  if (
    subscription === undefined ||
    !agent ||
    !knowledge ||
    !callSettings ||
    !blockedCallers ||
    !retention ||
    !recordings ||
    !voiceConsents ||
    !minutes ||
    !calls ||
    !questions ||
    !bookings ||
    !bookingSetup ||
    !messages ||
    !connections ||
    !mails
  )
    return undefined
  const data: MyData = {
    madeAt: new Date(now).toISOString(),
    account: { id, email },
    subscription,
    agent,
    knowledge: knowledge.knowledge,
    callSettings,
    blockedCallers,
    keepDays: retention.keepDays,
    voiceConsents,
    minutes,
    calls,
    questions,
    bookings,
    bookingSetup: bookingSetup.setup,
    messages,
    keys: connections.keys,
    endpoints: connections.endpoints,
    calendars: connections.calendars,
    mails,
  }

  const { strToU8, zipSync } = await import('fflate')
  const files: Record<string, Uint8Array> = { 'data.json': strToU8(JSON.stringify(data, null, 2)) }
  if (agent.voice_sample_path) {
    const sample = await downloadVoiceSample(agent.voice_sample_path)
    if (!sample) return undefined
    files[`voice-sample/${agent.voice_sample_path.split('/').at(-1)}`] = new Uint8Array(
      await sample.arrayBuffer(),
    )
  }
  for (const { call_id, path } of recordings) {
    const recording = await downloadRecording(path)
    if (!recording) return undefined
    const extension = extensions[recording.type] ?? 'bin'
    files[`recordings/${call_id}.${extension}`] = new Uint8Array(await recording.arrayBuffer())
  }
  const zip = zipSync(files) as Uint8Array<ArrayBuffer>
  return {
    name: `my-data-${fileTimestamp(data.madeAt)}.zip`,
    content: new Blob([zip], { type: 'application/zip' }),
  }
}

/** Reads which mails the signed-in customer was sent, oldest first; undefined without a readable answer. */
async function readSentMails(): Promise<SentMail[] | undefined> {
  const rows = await allRows<unknown>((from, to) => supabase().rpc('my_mails').range(from, to))
  return z.safeParse(z.array(sentMail), rows).data
}

/** Reads this customer's minute ledger, oldest row first; undefined without a readable answer. */
async function readMinuteLedger(userId: string): Promise<LedgerLine[] | undefined> {
  const own = () =>
    supabase().from('minute_ledger').select('id, created_at, minutes, reason').eq('user_id', userId)
  const rows = await allRowsSince(own, 'created_at')
  return z.safeParse(z.array(ledgerLine), rows).data
}

/** Reads the consents that this customer has given; undefined without a readable answer. */
async function readVoiceConsents(userId: string): Promise<VoiceConsent[] | undefined> {
  const { data, error } = await supabase()
    .from('voice_sample_checks')
    .select('path, consent_version, consented_at')
    .eq('user_id', userId)
    .order('consented_at')
  return error ? undefined : z.safeParse(z.array(voiceConsent), data).data
}
