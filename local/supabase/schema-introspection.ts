import type { Supabase } from './start.ts'

type Query = Supabase['query']

export interface Column {
  name: string
  /** The name in pg_type; that of an array begins with an underscore. */
  type: string
  nullable: boolean
  hasDefault: boolean
  /** Whether the database computes the column and refuses a value for it. */
  computed: boolean
}
interface Relationship {
  foreignKeyName: string
  columns: string[]
  isOneToOne: boolean
  referencedRelation: string
  referencedColumns: string[]
}
export interface Relation {
  name: string
  isView: boolean
  columns: Column[]
  relationships: Relationship[]
}
export interface DatabaseFunction {
  name: string
  /** The name in pg_type; `void` if the function returns nothing. */
  returns: string
  returnsMany: boolean
  /** Whether PostgreSQL returns null without running it if an argument is null. */
  strict: boolean
  args: { name: string; type: string; optional: boolean }[]
  /** The columns of `returns table (…)`. */
  table: { name: string; type: string }[]
  /** Its jsonb arguments, each with the type that the function checks it by (SQL: `private.check_payload`). */
  payloads: { arg: string; type: string }[]
}
/** The type of a payload, in the schema `private`. */
export interface Payload {
  name: string
  keys: { name: string; type: string; comment: 'optional' | 'former' | null }[]
}
export interface Schema {
  relations: Relation[]
  functions: DatabaseFunction[]
  enums: { name: string; values: string[] }[]
  payloads: Payload[]
}

/** Reads what the API serves of a schema, in alphabetical order. */
export async function readSchema(query: Query, schema = 'public'): Promise<Schema> {
  const relations = await query<Relation>(relationsSql, [schema])
  const functions = await query<DatabaseFunction>(functionsSql, [schema])
  const enums = await query<Schema['enums'][number]>(enumsSql, [schema])
  const payloads = await query<Payload>(payloadsSql)
  return { relations, functions, enums, payloads }
}

const relationsSql = /* sql */ `
select
  c.relname::text as name,
  c.relkind in ('v', 'm') as "isView",
  (select json_agg(json_build_object(
      'name', a.attname,
      'type', t.typname,
      'nullable', not a.attnotnull,
      'hasDefault', a.atthasdef or a.attidentity <> '',
      'computed', a.attgenerated <> '' or a.attidentity = 'a'
    ) order by a.attname)
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  coalesce((select json_agg(json_build_object(
      'foreignKeyName', k.conname,
      'columns', (select json_agg(a.attname order by p.at) from unnest(k.conkey) with ordinality p (num, at)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.num),
      'isOneToOne', exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique
        and i.indpred is null
        and (select array_agg(n order by n) from unnest(i.indkey::int2[]) n)
          = (select array_agg(n order by n) from unnest(k.conkey) n)),
      'referencedRelation', r.relname,
      'referencedColumns', (select json_agg(a.attname order by p.at)
        from unnest(k.confkey) with ordinality p (num, at)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.num)
    ) order by k.conname)
    from pg_constraint k join pg_class r on r.oid = k.confrelid
    where k.conrelid = c.oid and k.contype = 'f' and r.relnamespace = c.relnamespace), '[]') as relationships
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm')
order by c.relname`

const functionsSql = /* sql */ `
select
  p.proname::text as name,
  t.typname::text as returns,
  p.proretset as "returnsMany",
  p.proisstrict as strict,
  coalesce((select json_agg(json_build_object(
      'name', coalesce(p.proargnames[i.at], ''),
      'type', a.typname,
      'optional', i.at > p.pronargs - p.pronargdefaults
    ) order by i.at)
    from unnest(p.proargtypes::oid[]) with ordinality i (oid, at) join pg_type a on a.oid = i.oid), '[]') as args,
  coalesce((select json_agg(json_build_object('name', p.proargnames[i.at], 'type', a.typname) order by i.at)
    from unnest(p.proallargtypes) with ordinality i (oid, at) join pg_type a on a.oid = i.oid
    where p.proargmodes[i.at] = 't'), '[]') as table,
  coalesce((select json_agg(json_build_object('arg', m[1], 'type', m[2]))
    from regexp_matches(p.prosrc, 'check_payload\\((\\w+), ''private\\.([^'']+)''\\)', 'g') m), '[]') as payloads
from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type t on t.oid = p.prorettype
where n.nspname = $1 and p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger')
order by p.proname, p.oid`

const payloadsSql = /* sql */ `
select
  c.relname::text as name,
  (select json_agg(json_build_object(
      'name', a.attname, 'type', t.typname, 'comment', col_description(c.oid, a.attnum)
    ) order by a.attnum)
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as keys
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'private' and c.relkind = 'c'
order by c.relname`

const enumsSql = /* sql */ `
select t.typname::text as name, json_agg(e.enumlabel order by e.enumsortorder) as values
from pg_enum e join pg_type t on t.oid = e.enumtypid join pg_namespace n on n.oid = t.typnamespace
where n.nspname = $1
group by t.typname
order by t.typname`
