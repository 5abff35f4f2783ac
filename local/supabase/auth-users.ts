import { randomUUID } from 'node:crypto'
import bcrypt from 'bcryptjs'
import type { SqlSession } from './sql-database.ts'

type Metadata = Record<string, unknown>

interface UserRow {
  id: string
  aud: string
  role: string
  email: string | null
  phone: string | null
  email_confirmed_at: string | null
  confirmed_at: string | null
  last_sign_in_at: string | null
  raw_app_meta_data: Metadata
  raw_user_meta_data: Metadata
  created_at: string
  updated_at: string
  identities: Metadata[]
}

const selectUsers = /* sql */ `
  select u.*, coalesce((
    select json_agg(json_build_object(
      'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
      'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at,
      'updated_at', i.updated_at, 'email', i.email
    )) from auth.identities i where i.user_id = u.id
  ), '[]') as identities
  from auth.users u`

/** Returns a user in the format of the auth API. */
export const toApiUser = (user: UserRow) => ({
  id: user.id,
  aud: user.aud,
  role: user.role,
  email: user.email ?? '',
  phone: user.phone ?? '',
  email_confirmed_at: user.email_confirmed_at ?? undefined,
  confirmed_at: user.confirmed_at ?? undefined,
  last_sign_in_at: user.last_sign_in_at ?? undefined,
  app_metadata: user.raw_app_meta_data,
  user_metadata: user.raw_user_meta_data,
  identities: user.identities,
  created_at: user.created_at,
  updated_at: user.updated_at,
  is_anonymous: false,
})

export async function findUser(
  db: SqlSession,
  column: 'id' | 'email',
  value: string,
): Promise<UserRow | undefined> {
  const { rows } = await db.query<UserRow>(`${selectUsers} where u.${column} = $1`, [value])
  return rows[0]
}

interface NewUser {
  id?: string
  email: string
  password?: string
  confirmed: boolean
  userMetadata?: Metadata
  appMetadata?: Metadata
}

/** Hashes a password at the cost that @supabase/lite uses too: 10, unless the variable says otherwise. */
const hashPassword = (password: string): Promise<string> =>
  bcrypt.hash(password, Number(process.env.LITE_AUTH_BCRYPT_COST ?? 10))

/**
 * Inserts a user and its e-mail identity.
 * @returns the id of the user
 */
export async function insertUser(db: SqlSession, user: NewUser): Promise<string> {
  const id = user.id ?? randomUUID()
  const metadata = {
    ...user.userMetadata,
    sub: id,
    email: user.email,
    email_verified: user.confirmed,
    phone_verified: false,
  }
  await db.query(
    `insert into auth.users (
       id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data
     ) values ($1, 'authenticated', 'authenticated', $2, $3, case when $4 then now() end, $5, $6)`,
    [
      id,
      user.email,
      user.password ? await hashPassword(user.password) : null,
      user.confirmed,
      { provider: 'email', providers: ['email'], ...user.appMetadata },
      metadata,
    ],
  )
  await db.query(
    `insert into auth.identities (id, provider, provider_id, user_id, identity_data)
     values ($1, 'email', $2::text, $2::text::uuid, $3)`,
    [randomUUID(), id, metadata],
  )
  return id
}

interface UserChanges {
  email?: string
  password?: string
  confirm?: boolean
  userMetadata?: Metadata
  appMetadata?: Metadata
}

/** Changes the given fields of a user; metadata is merged. */
export async function changeUser(db: SqlSession, id: string, changes: UserChanges): Promise<void> {
  await db.query(
    `update auth.users set
       email = coalesce($2, email),
       encrypted_password = coalesce($3, encrypted_password),
       email_confirmed_at = case when $4 then coalesce(email_confirmed_at, now()) else email_confirmed_at end,
       raw_user_meta_data = raw_user_meta_data || $5,
       raw_app_meta_data = raw_app_meta_data || $6,
       updated_at = now()
     where id = $1`,
    [
      id,
      changes.email ?? null,
      changes.password ? await hashPassword(changes.password) : null,
      changes.confirm ?? false,
      changes.userMetadata ?? {},
      changes.appMetadata ?? {},
    ],
  )
}

export async function deleteUser(db: SqlSession, id: string): Promise<void> {
  await db.query('delete from auth.users where id = $1', [id])
}

/** Stores the hash of a one-time token, and replaces an earlier one of the same kind. */
export async function storeToken(
  db: SqlSession,
  email: string,
  kind: 'confirmation' | 'recovery',
  tokenHash: string,
): Promise<void> {
  await db.query(`update auth.users set ${kind}_token = $2, ${kind}_sent_at = now() where email = $1`, [
    email,
    tokenHash,
  ])
}
