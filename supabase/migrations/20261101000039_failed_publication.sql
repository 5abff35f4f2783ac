-- Lets a build that failed say so where the admin who asked for it looks.
create function public.report_failed_publication(p_problem text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.audit_log (action, subject, subject_id, after)
  values ('failed to publish', 'site', 'site', jsonb_build_object('problem', left(p_problem, 600)));
$$;
revoke all on function public.report_failed_publication(text) from public, anon, authenticated;
grant execute on function public.report_failed_publication(text) to service_role;
