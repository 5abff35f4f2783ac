-- Offers end with their call, a declined booking is not cancelled, and what the agent says of a booking names what is booked.
create or replace function private.is_open(p_offer private.booking_offers) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    p_offer.version = private.booking_version(p_offer.user_id)
      and p_offer.created_at > clock_timestamp() - make_interval(mins => private.setting('offer_minutes'))
      and not exists (
        select from public.calls c where c.user_id = p_offer.user_id and c.provider_call_id = p_offer.call
      ),
    false
  )
$$;

create or replace function private.said_booking(p_booking public.bookings) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_booking.id, 'bookable', p_booking.bookable, 'state', p_booking.state, 'about', p_booking.about,
    'name', p_booking.name, 'people', p_booking.people, 'code', p_booking.code,
    'starts', extract(epoch from p_booking.starts_at) * 1000, 'ends', extract(epoch from p_booking.ends_at) * 1000
  )
$$;

create or replace function public.cancel_booking(p_user_id uuid, p_call text, p_booking uuid, p_is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.bookings;
begin
  perform private.lock_bookings(p_user_id);
  select * into v_booking from public.bookings b
  where b.id = p_booking and b.user_id = p_user_id and b.state <> 'declined';
  if not found then
    return private.booking_answer('gone', null, null);
  end if;
  if not p_is_trial and v_booking.state <> 'cancelled' then
    update public.bookings b set state = 'cancelled', untold_since = null, changed_call = p_call
    where b.id = v_booking.id;
    delete from private.occupancy o where o.booking_id = v_booking.id;
  end if;
  v_booking.state := 'cancelled';
  return private.booking_answer('cancelled', v_booking, null);
end $$;
