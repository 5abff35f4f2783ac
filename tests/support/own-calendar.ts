import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { webhooksWithin } from '#connections/server/deliveries.ts'
import { runJobs } from '#platform/server/jobs.ts'
import type { Reach } from '#platform/server/public-request.ts'
import { services } from '#platform/server/services.ts'
import type { Customer } from './admin.ts'
import { authorization, login, type CalendarServer } from './calendar-server.ts'
import type { World } from './world.ts'

/** A calendar on a server of this machine, as its owner's program shows and changes it. */
export interface OwnCalendar {
  url: string
  /** The path of each event, and its iCalendar. */
  events(): Promise<string[]>
  /** Changes the event of a booking. */
  change(booking: string, edit: (event: string) => string): Promise<void>
  remove(booking: string): Promise<void>
}

export async function newCalendar(
  server: CalendarServer,
  name: string,
  component = 'VEVENT',
): Promise<OwnCalendar> {
  const url = new URL(`${server.home}${randomUUID()}/`, server.url).href
  const ask = async (
    method: string,
    at: string,
    more: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<string> => {
    const headers = { authorization, 'content-type': 'text/xml', ...more.headers }
    const answer = await fetch(at, { ...more, method, headers })
    expect(answer.ok, `${method} ${at} ${answer.status}`).toBe(true)
    return answer.text()
  }
  const body = `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>${name}</D:displayname><C:supported-calendar-component-set><C:comp name="${component}"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>`
  await ask('MKCALENDAR', url, { body })
  const at = (booking: string): string => `${url}${booking}.ics`
  return {
    url,
    async events() {
      const listed = await ask('PROPFIND', url, { headers: { depth: '1' } })
      const paths = [...listed.matchAll(/>([^<>]+\.ics)</g)].map(([, path]) => path!)
      return Promise.all(paths.map((path) => ask('GET', new URL(path, url).href)))
    },
    async change(booking, edit) {
      const event = edit(await ask('GET', at(booking)))
      await ask('PUT', at(booking), { body: event, headers: { 'content-type': 'text/calendar' } })
    },
    async remove(booking) {
      await ask('DELETE', at(booking))
    },
  }
}

/** Connects a calendar as the portal does, and points it at a server of this test. */
export async function connect(
  world: World,
  person: Customer,
  { url }: Pick<OwnCalendar, 'url'>,
  password = login.password,
): Promise<string> {
  const { data } = await person.client
    .rpc('connect_calendar', {
      p_url: 'https://caldav.example.com/',
      p_username: login.username,
      p_password: password,
    })
    .throwOnError()
  const led = `update public.webhook_endpoints e set url = $2 from public.calendars c
    where c.id = $1 and e.id = c.endpoint_id returning e.id`
  const [endpoint] = await world.sql<{ id: string }>(led, [data, url])
  return endpoint!.id
}

export const reachOf = ({ url }: CalendarServer): Reach => ({
  isAllowed: (address) => address === '127.0.0.1',
  isPort: (port) => port === new URL(url).port,
})

/** Makes all waiting messages due, and sends them. */
export async function deliver(world: World, reach: Reach): Promise<void> {
  await world.hasten('webhooks')
  await runJobs(webhooksWithin(reach), services(), { until: Date.now() + 10_000 })
  await world.work('switched off mails')
}
