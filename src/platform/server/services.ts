import type Stripe from 'stripe'
import { connectSupabase, type Supabase } from './database.ts'
import { env, type ServerEnv } from './env.ts'
import { connectStripe, logResponses } from './stripe.ts'

/** The environment and the connected providers of the functions. */
export interface Services {
  env: ServerEnv
  stripe: Stripe
  supabase: Supabase
}

let connected: Services | undefined

/**
 * Returns the services of this process's environment, which are connected once.
 * @throws EnvironmentError
 */
export function services(): Services {
  connected ??= { env: env(), stripe: logResponses(connectStripe(env())), supabase: connectSupabase(env()) }
  return connected
}
