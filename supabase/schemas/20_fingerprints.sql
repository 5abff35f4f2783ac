-- Describes the schema object by object, so that a deployment can compare its database with the one its code needs.

-- Returns the rights of PUBLIC, anon and authenticated: what strangers and customers may do.
create function private.grants_of(p_acl aclitem[], p_kind "char", p_owner oid) returns text
language sql stable set search_path = ''
as $$
  select string_agg(coalesce(r.rolname, 'public') || ' ' || g.privilege_type, ', '
    order by coalesce(r.rolname, 'public') collate "C", g.privilege_type collate "C")
  from aclexplode(coalesce(p_acl, acldefault(p_kind, p_owner))) g left join pg_roles r on r.oid = g.grantee
  where (g.grantee = 0 or r.rolname in ('anon', 'authenticated'))
    -- PostgreSQL has had this one since version 17.
    and g.privilege_type <> 'MAINTAIN'
$$;

-- Returns an expression without qualifiers, parentheses and white space: versions of PostgreSQL print them differently.
create function private.unqualified(p_expression text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_expression, '\m\w+\.|\s+|[()]', '', 'g') $$;

-- Returns { object: fingerprint } of all objects in public and private, and of what migrations add to auth and storage.
create function public.schema_fingerprints() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with ours as (select n.oid, n.nspname from pg_namespace n where n.nspname in ('public', 'private')),
  relations as (
    select c.*, n.nspname || '.' || c.relname as name from pg_class c join ours n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm')
  ),
  objects as (
    select case when c.relkind in ('v', 'm') then 'view ' else 'table ' end || c.name as name, concat_ws(' | ',
      c.relrowsecurity, c.reloptions, private.grants_of(c.relacl, 'r', c.relowner),
      case when c.relkind in ('v', 'm') then private.unqualified(pg_get_viewdef(c.oid)) end) as definition
    from relations c
    union all
    select 'column ' || c.name || '.' || a.attname, concat_ws(' | ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attgenerated, private.unqualified(pg_get_expr(d.adbin, d.adrelid)),
      case when a.attacl is not null then private.grants_of(a.attacl, 'c', c.relowner) end)
    from relations c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    union all
    -- PostgreSQL lists NOT NULL here, too, since version 18.
    select 'constraint ' || c.name || '.' || k.conname, private.unqualified(pg_get_constraintdef(k.oid))
    from relations c join pg_constraint k on k.conrelid = c.oid and k.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'index ' || c.name || '.' || i.relname, private.unqualified(pg_get_indexdef(i.oid))
    from relations c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
    where not exists (select from pg_constraint k where k.conindid = i.oid and k.conrelid = c.oid)
    union all
    select 'policy ' || n.nspname || '.' || c.relname || '.' || p.polname, concat_ws(' | ', p.polcmd, p.polpermissive,
      (select string_agg(coalesce(r.rolname, 'public'), ', ' order by r.rolname collate "C")
        from unnest(p.polroles) o (oid) left join pg_roles r on r.oid = o.oid),
      private.unqualified(pg_get_expr(p.polqual, p.polrelid)), private.unqualified(pg_get_expr(p.polwithcheck, p.polrelid)))
    from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'storage')
    union all
    select 'trigger ' || n.nspname || '.' || c.relname || '.' || t.tgname,
      concat_ws(' | ', t.tgenabled, private.unqualified(pg_get_triggerdef(t.oid)))
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_proc f on f.oid = t.tgfoid
    where not t.tgisinternal and f.pronamespace in (select o.oid from ours o)
    union all
    select 'function ' || n.nspname || '.' || f.proname || '(' || pg_get_function_identity_arguments(f.oid) || ')',
      concat_ws(' | ', f.prosrc, f.prosecdef, f.provolatile, f.proisstrict, f.proconfig, pg_get_function_result(f.oid),
        pg_get_function_arguments(f.oid), private.grants_of(f.proacl, 'f', f.proowner))
    from pg_proc f join ours n on n.oid = f.pronamespace
    -- An extension's functions are not ours.
    where not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
    union all
    select 'payload ' || n.nspname || '.' || c.relname, (
      select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)), ', '
        order by a.attname collate "C")
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
    from pg_class c join ours n on n.oid = c.relnamespace where c.relkind = 'c'
    union all
    select 'type ' || n.nspname || '.' || t.typname,
      (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
    from pg_type t join ours n on n.oid = t.typnamespace where t.typtype = 'e'
  )
  select jsonb_object_agg(o.name, left(md5(coalesce(o.definition, '')), 12)) from objects o
$$;
grant execute on function public.schema_fingerprints() to service_role;
