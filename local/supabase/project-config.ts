import { readFile } from 'node:fs/promises'
import type { IAppConfig } from '@supabase/lite'
import { parse } from 'smol-toml'

export interface Keys {
  /** The browser's key: anonymous, or with a session's token the customer. */
  publishable: string
  /** The functions' key; it bypasses row-level security. */
  secret: string
  /** Signs the sessions' tokens; at least 32 characters. */
  jwtSecret: string
}

/** supabase/config.toml with this machine's keys and address; @supabase/lite checks it when it is constructed. */
type ProjectConfig = Pick<IAppConfig, 'api' | 'auth' | 'storage'>

export async function readProjectConfig(file: string, keys: Keys, siteUrl: string): Promise<ProjectConfig> {
  const { api, auth, storage } = parse(await readFile(file, 'utf8')) as unknown as ProjectConfig
  return {
    api,
    storage,
    auth: {
      ...auth,
      site_url: siteUrl,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishable,
      secret_key: keys.secret,
    },
  }
}
