import type { ShownSettings } from '#admin/domain/content/site-build.ts'
import { failureReason } from '#admin/browser/admin-failure.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** The settings of the whole site. Null means "not set". */
export interface SiteSettings extends ShownSettings {
  /** The private bucket for exports and backups. */
  backupBucket: string | null
  /** The version of the row. */
  updatedAt: string
}

const columns = 'contact_email, maintenance_notice, backup_bucket, updated_at'
interface Row {
  contact_email: string | null
  maintenance_notice: string | null
  backup_bucket: string | null
  updated_at: string
}
const settingsOf = (row: Row): SiteSettings => ({
  contactEmail: row.contact_email,
  maintenanceNotice: row.maintenance_notice,
  backupBucket: row.backup_bucket,
  updatedAt: row.updated_at,
})

const checkViolation = '23514'

/** Reads the settings; undefined if there is no answer. */
export async function readSiteSettings(): Promise<SiteSettings | undefined> {
  const { data } = await supabase().from('site_settings').select(columns).maybeSingle()
  return data ? settingsOf(data) : undefined
}

type SettingsOutcome =
  | { kind: 'saved'; settings: SiteSettings }
  /** Somebody else has saved these settings since. */
  | { kind: 'conflict'; settings: SiteSettings }
  | { kind: 'failed'; reason: string }

/** Saves the settings if their row still has the version in which it was read. */
export async function saveSiteSettings(wanted: SiteSettings): Promise<SettingsOutcome> {
  const written = await supabase()
    .from('site_settings')
    .update({
      contact_email: wanted.contactEmail,
      maintenance_notice: wanted.maintenanceNotice,
      backup_bucket: wanted.backupBucket,
    })
    .eq('id', true)
    .eq('updated_at', wanted.updatedAt)
    .select(columns)
    .maybeSingle()
  if (written.data) return { kind: 'saved', settings: settingsOf(written.data) }
  if (written.error?.code === checkViolation)
    return {
      kind: 'failed',
      reason: /bucket/.test(written.error.message)
        ? 'There is no private bucket of that name.'
        : 'The address or the notice is not accepted.',
    }
  if (written.error) return { kind: 'failed', reason: failureReason(written) }
  const present = await readSiteSettings()
  return present
    ? { kind: 'conflict', settings: present }
    : { kind: 'failed', reason: 'The server could not be reached.' }
}
