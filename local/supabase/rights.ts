import type { Supabase } from './start.ts'

/** Each right that a role of the API, or everybody, has on an object of ours or on some of its columns. */
const rightsSql = /* sql */ `
with ours as (select oid, nspname from pg_namespace where nspname in ('public', 'private')),
objects (name, "column", position, acl) as (
  select 'schema ' || nspname, null, 0, nspacl from pg_namespace where nspname = 'private'
  union all
  select n.nspname || '.' || c.relname, null, 0,
    coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
  from pg_class c join ours n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  union all
  select n.nspname || '.' || c.relname, a.attname, a.attnum, a.attacl
  from pg_attribute a join pg_class c on c.oid = a.attrelid join ours n on n.oid = c.relnamespace
  where a.attacl is not null and not a.attisdropped
  union all
  select n.nspname || '.' || f.proname || '(' || oidvectortypes(f.proargtypes) || ')', null, 0,
    coalesce(f.proacl, acldefault('f', f.proowner))
  from pg_proc f join ours n on n.oid = f.pronamespace
)
select o.name, coalesce(r.rolname, 'public') as role, lower(g.privilege_type) as privilege,
  string_agg(o.column, ', ' order by o.position) as columns
from objects o cross join aclexplode(o.acl) g left join pg_roles r on r.oid = g.grantee
where (g.grantee = 0 or r.rolname in ('anon', 'authenticated', 'service_role'))
  -- PostgreSQL has had this one since version 17.
  and g.privilege_type <> 'MAINTAIN'
group by 1, 2, 3, o.position > 0
order by o.position > 0, 3, 2`

/**
 * Returns the contents of supabase/rights.txt: a line for each function with the roles that may execute it, and for each
 * table and role with what the role may do.
 */
export async function generateRights(query: Supabase['query']): Promise<string> {
  const rights = await query<{ name: string; role: string; privilege: string; columns: string | null }>(
    rightsSql,
  )
  const lines = new Map<string, string[]>()
  for (const { name, role, privilege, columns } of rights) {
    const [line, right] =
      privilege === 'execute'
        ? [name, role]
        : [`${name}, ${role}`, columns ? `${privilege} (${columns})` : privilege]
    lines.set(line, [...(lines.get(line) ?? []), right])
  }
  const text = [...lines].map(([line, given]) => `${line}: ${given.join(', ')}`).sort()
  return `The rights of the API's roles, from the schemas (npm run types:db). What has no line is closed to all of them.\n\n${text.join('\n')}\n`
}
