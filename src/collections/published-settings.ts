import { getEntry } from 'astro:content'
import { site } from '#site'

/** Returns the admin's settings for the whole site, as of this build. */
export async function publishedSettings(): Promise<{ email: string; notice: string | null }> {
  const { data } = (await getEntry('settings', 'site')) ?? {}
  return { email: data?.contactEmail ?? site.email, notice: data?.maintenanceNotice ?? null }
}
