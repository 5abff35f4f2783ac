-- What the agent says first, where a customer has words of their own for it.
alter table public.agent_settings
  add column greeting text check (length(greeting) <= 300 and greeting ~ '\S');
grant insert (greeting), update (greeting) on public.agent_settings to authenticated;
