-- Lets the admin publish, and writes down who did. Refused to everybody else.
create function public.request_publication() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not (select public.is_admin()) then
    raise exception 'Only the admin publishes' using errcode = '42501';
  end if;
  insert into public.audit_log (actor, actor_email, action, subject, subject_id)
  select u.id, u.email, 'published', 'site', 'site' from auth.users u where u.id = (select auth.uid());
end $$;
revoke all on function public.request_publication() from public, anon;
grant execute on function public.request_publication() to authenticated;
