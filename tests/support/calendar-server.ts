import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../local/free-port.ts'
import { eventually } from './eventually.ts'

/** A CalDAV server on this machine with the account of `login`. */
export interface CalendarServer {
  /** Its root, which is no calendar. */
  url: string
  /** The path under which the account's calendars are made. */
  home: string
  close: () => void
}

export const login = { username: 'ada', password: 'gläserne Tür 1' }
export const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`

/** The servers that calendars are tried on: our own small one, and Radicale if the machine has it. */
export const calendarServers: Record<string, () => Promise<CalendarServer>> = {
  'a small server': startSmallServer,
  ...(spawnSync('radicale', ['--version']).status === 0 && { Radicale: startRadicale }),
}

async function startRadicale(): Promise<CalendarServer> {
  const folder = mkdtempSync(join(tmpdir(), 'radicale-'))
  const users = join(folder, 'users')
  writeFileSync(users, `${login.username}:${login.password}\n`)
  const port = await freePort({ port: 5232, host: '127.0.0.1' })
  const settings = {
    'server-hosts': `127.0.0.1:${port}`,
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': users,
    'auth-htpasswd-encryption': 'plain',
    'auth-delay': '0',
    'storage-filesystem-folder': join(folder, 'collections'),
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const server = spawn('radicale', ['--config', '', ...args], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/`
  await eventually(() => fetch(url, { redirect: 'manual' }))
  return {
    url,
    home: `/${login.username}/`,
    close: () => {
      server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const etagOf = (event: string): string => `"${createHash('sha256').update(event).digest('hex')}"`
const multistatus = (...responses: string[]): string =>
  `<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${responses.join('')}</multistatus>`
const described = (href: string, properties: string): string =>
  `<response><href>${href}</href><propstat><prop>${properties}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;')

/** Answers what a calendar's client asks (RFC 4791), with its service at /dav/, of which only /.well-known/caldav tells. */
async function startSmallServer(): Promise<CalendarServer> {
  const home = '/dav/calendars/ada/'
  const principal = '/dav/principals/ada/'
  const calendars = new Map<string, { name: string; component: string; events: Map<string, string> }>()
  const collectionOf = (path: string): string => {
    const calendar = calendars.get(path)
    if (!calendar) return described(path, '<resourcetype><collection/></resourcetype>')
    return described(
      path,
      `<displayname>${calendar.name}</displayname><resourcetype><collection/><C:calendar/></resourcetype>` +
        `<C:supported-calendar-component-set><C:comp name="${calendar.component}"/></C:supported-calendar-component-set>`,
    )
  }
  const properties = (path: string, depth: string): string | undefined => {
    if (path === '/dav/')
      return described(path, `<current-user-principal><href>${principal}</href></current-user-principal>`)
    if (path === principal)
      return described(path, `<C:calendar-home-set><href>${home}</href></C:calendar-home-set>`)
    if (path === home) return [home, ...(depth === '1' ? calendars.keys() : [])].map(collectionOf).join('')
    if (!calendars.has(path)) return undefined
    const events = depth === '1' ? [...calendars.get(path)!.events.keys()] : []
    return [collectionOf(path), ...events.map((event) => described(event, '<resourcetype/>'))].join('')
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const path = request.url ?? ''
    const end = (status: number, content?: string, headers = {}): void => {
      const type = content?.startsWith('<') ? 'application/xml' : 'text/calendar'
      response.writeHead(status, { ...(content && { 'content-type': type }), ...headers }).end(content)
    }
    if (path === '/.well-known/caldav') return void response.writeHead(301, { location: '/dav/' }).end()
    if (request.headers.authorization !== authorization) return end(401)
    if (request.method === 'PROPFIND') {
      const found = properties(path, String(request.headers.depth))
      return found ? end(207, multistatus(found)) : end(404)
    }
    if (request.method === 'MKCALENDAR') {
      const name = /<D:displayname>(.*)<\/D:displayname>/.exec(body)?.[1] ?? ''
      calendars.set(path, { name, component: /name="(\w+)"/.exec(body)?.[1] ?? '', events: new Map() })
      return end(201)
    }
    const events = calendars.get(path.slice(0, path.lastIndexOf('/') + 1))?.events
    if (!events) return end(409)
    if (request.method === 'REPORT') {
      // As RFC 4791 allows, it knows one question: all events with what is in them, whose series it does not expand.
      if (!body.includes('calendar-query') || body.includes('expand')) return end(403)
      const data = [...events].map(([event, text]) =>
        described(
          event,
          `<getetag>${etagOf(text)}</getetag><C:calendar-data>${escaped(text)}</C:calendar-data>`,
        ),
      )
      return end(207, multistatus(...data))
    }
    const event = events.get(path)
    const must = request.headers['if-match']
    const isOther = must !== undefined && (event === undefined || etagOf(event) !== must)
    if (request.method === 'PUT') {
      if (isOther || (request.headers['if-none-match'] === '*' && event !== undefined)) return end(412)
      // An object of a calendar holds one component with its UID, and no METHOD (RFC 4791, section 4.1).
      const isObject = body.match(/^BEGIN:VEVENT\r$/gm)?.length === 1 && /^UID:\S+\r$/m.test(body)
      if (!isObject || /^METHOD:/m.test(body)) return end(403)
      events.set(path, body)
      return end(201, undefined, { etag: etagOf(body) })
    }
    if (event === undefined) return end(404)
    if (request.method !== 'DELETE') return end(200, event, { etag: etagOf(event) })
    if (isOther) return end(412)
    events.delete(path)
    return end(204)
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, home, close: () => void server.close() }
}
