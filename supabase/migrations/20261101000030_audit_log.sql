-- Who changed what in the admin area, and what it was before. Rows are written by triggers alone, so no client can
-- add, alter or remove one.
create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Null where no person acted: the payment provider's word, or a command of the operator.
  actor uuid references auth.users (id) on delete set null,
  actor_email text,
  action text not null,
  subject text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_by_actor on public.audit_log (actor);
alter table public.audit_log enable row level security;
revoke all on public.audit_log from public, anon, authenticated;
grant select on public.audit_log to authenticated, service_role;

create policy "admins read the audit log" on public.audit_log
  for select to authenticated using ((select public.is_admin()));

-- Attached to a table with the name of its key and the columns that may be written down. A column that is not named
-- never gets into the log.
create function private.record_audit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_row jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  v_action text;
begin
  select jsonb_object_agg(c, to_jsonb(old) -> c) into v_before
  from unnest(tg_argv[1:]) c where tg_op <> 'INSERT';
  select jsonb_object_agg(c, to_jsonb(new) -> c) into v_after
  from unnest(tg_argv[1:]) c where tg_op <> 'DELETE';
  if v_before is not distinct from v_after then
    return null;
  end if;
  v_action := case
    when v_before ->> 'admin_status' is distinct from v_after ->> 'admin_status' then
      case v_after ->> 'status' when 'blocked' then 'blocked' when 'active' then 'activated' else 'released' end
    when tg_op = 'DELETE' or v_after ->> 'deleted_at' is not null then 'deleted'
    when tg_op = 'INSERT' then 'added'
    when v_before ->> 'deleted_at' is not null then 'restored'
    else 'changed'
  end;
  insert into public.audit_log (actor, actor_email, action, subject, subject_id, before, after)
  values (
    (select u.id from auth.users u where u.id = (select auth.uid())),
    (select u.email from auth.users u where u.id = (select auth.uid())),
    v_action, tg_table_name, v_row ->> tg_argv[0], v_before, v_after
  );
  return null;
end $$;
revoke all on function private.record_audit() from public, anon, authenticated;
