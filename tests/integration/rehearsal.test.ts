import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changedMigrations, hashOf, rehearse, type Release } from '../rehearsal/rehearse.ts'
import { migrationsDir, schemasDir } from '../support/supabase.ts'

/** Two small releases. Both have the function that a deployment asks for the schema. */
const guests = `create table public.guests (id integer primary key, name text not null);
alter table public.guests enable row level security;
create type private.guest_payload as (id integer, name text);
create function public.add_guest(p jsonb) returns void language sql security definer set search_path = ''
as $$
  select private.check_payload(p, 'private.guest_payload');
  insert into public.guests (id, name) values ((p ->> 'id')::integer, p ->> 'name')
$$;
grant execute on function public.add_guest(jsonb) to service_role;
`
const rooms = `alter table public.guests add column room text;
alter type private.guest_payload add attribute room text;
comment on column private.guest_payload.room is 'optional';
`
/** A function that goes. */
const leave = guests.slice(guests.indexOf('create function')).replaceAll('add_guest', 'take_leave')
const rows = `insert into public.guests (id, name) values (1, 'Guest 1'), (2, 'Guest 2');
insert into private.rate_limits values ('key', 1, '2030-01-01');
insert into private.job_kinds (kind) values ('mails');
insert into private.jobs (kind, key, due_at) values ('mails', 'key', '2030-01-01');
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deskbell-releases-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes a project's migrations, and returns their folder. */
async function project(name: string, files: Record<string, string>): Promise<string> {
  const migrations = path.join(folder, name, 'migrations')
  await mkdir(migrations, { recursive: true })
  await copyFile(path.join(migrationsDir, '../config.toml'), path.join(folder, name, 'config.toml'))
  const platform = ['01_platform.sql', '20_fingerprints.sql']
  for (const file of platform) await copyFile(path.join(schemasDir, file), path.join(migrations, file))
  for (const [file, sql] of Object.entries(files)) await writeFile(path.join(migrations, file), sql)
  return migrations
}
/** The first release; the platform brings tables of its own. */
const release = async (more: Partial<Release> = {}): Promise<Release> => ({
  migrationsDir: await project('released', { '30000101000001_guests.sql': guests }),
  rows,
  ...more,
})

test('an upgrade that keeps the rows and takes the payloads of the last release is safe', async () => {
  const present = await project('present', {
    '30000101000001_guests.sql': guests,
    '30000101000002_rooms.sql': rooms,
  })
  expect(await rehearse(await release(), present)).toEqual([])
})

test('a released migration that was edited is found by the rehearsal and by its hash', async () => {
  const present = await project('edited', {
    '30000101000001_guests.sql': guests.replace('name text not null', 'name text not null, phone text'),
    '30000101000002_rooms.sql': rooms,
  })
  const last = await release()
  expect(await rehearse(last, present)).toEqual([
    'column public.guests.phone is not what a fresh database has',
  ])
  const file = '30000101000001_guests.sql'
  const released = { [file]: await hashOf(path.join(last.migrationsDir, file)) }
  expect(await changedMigrations(released, last.migrationsDir)).toEqual([])
  expect(await changedMigrations(released, present)).toEqual([file])
  expect(await changedMigrations({ ...released, 'gone.sql': '' }, present)).toEqual([file, 'gone.sql'])
})

test('a lost row, a lost table, a refused payload and a table without rows are named', async () => {
  const careless = `delete from public.guests where id = 1;
    update public.guests set name = 'Somebody' where id = 2;
    alter type private.guest_payload add attribute room text;
    drop function public.take_leave(jsonb);
    drop table public.beds;`
  const beds = `${guests}create table public.beds (id integer primary key);\ncreate table public.keys (id integer primary key);\n${leave}`
  const last = await release({
    migrationsDir: await project('beds', { '30000101000001_guests.sql': beds }),
    rows: `${rows}insert into public.beds values (1);\n`,
  })
  const present = await project('careless', {
    '30000101000001_guests.sql': beds,
    '30000101000002_careless.sql': careless,
  })
  expect(await rehearse(last, present)).toEqual([
    'public.keys has no row',
    'public.beds is gone, with 1 rows',
    'public.guests lost or changed {"id":1,"name":"Guest 1"}',
    'public.guests lost or changed {"id":2,"name":"Guest 2"}',
    'add_guest refuses what the last release sends: private.guest_payload: missing room',
    expect.stringMatching('take_leave refuses what the last release sends: Could not find the function'),
  ])
})

const released = JSON.parse(await readFile(path.join(migrationsDir, '../released.json'), 'utf8')) as Record<
  string,
  string
>

test('no released migration was changed', async () => {
  expect(await changedMigrations(released, migrationsDir)).toEqual([])
})

test('a database of the last release follows the migrations: it keeps its rows, and takes what the release sends', async () => {
  const last = path.join(folder, 'last/migrations')
  await mkdir(last, { recursive: true })
  await copyFile(path.join(migrationsDir, '../config.toml'), path.join(last, '../config.toml'))
  for (const file of Object.keys(released))
    await copyFile(path.join(migrationsDir, file), path.join(last, file))
  const rows = await readFile('tests/rehearsal/rows.sql', 'utf8')
  expect(await rehearse({ migrationsDir: last, rows }, migrationsDir)).toEqual([])
})
