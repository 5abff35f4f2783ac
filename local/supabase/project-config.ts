import { readFile } from 'node:fs/promises'
import type { IAppConfig } from '@supabase/lite'
import { parse } from 'smol-toml'

export interface Keys {
  /** The browser's key. Without a session's token the request is anonymous. */
  publishable: string
  /** The functions' key, which bypasses row-level security. */
  secret: string
  /** Signs the tokens of sessions; at least 32 characters. */
  jwtSecret: string
}

type ProjectConfig = Pick<IAppConfig, 'api' | 'auth' | 'storage'>
/** @supabase/lite knows `auth.email.enabled` by its name before version 3 of the Supabase CLI. */
interface ConfigFile extends ProjectConfig {
  auth: ProjectConfig['auth'] & { email: { enabled: boolean } }
}

/** Reads supabase/config.toml and adds this machine's keys and URL. @supabase/lite validates the result. */
export async function readProjectConfig(file: string, keys: Keys, siteUrl: string): Promise<ProjectConfig> {
  const { api, auth, storage } = parse(await readFile(file, 'utf8')) as unknown as ConfigFile
  const { enabled, ...email } = auth.email
  return {
    api,
    storage,
    auth: {
      ...auth,
      email: { ...email, enable_signup: enabled },
      site_url: siteUrl,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishable,
      secret_key: keys.secret,
    },
  }
}
