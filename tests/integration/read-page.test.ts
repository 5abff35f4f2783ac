import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readPageText } from '#agent/server/read-page.ts'
import { customerInPeriod } from '../support/admin.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Serves on this machine, which the function must never reach; counts the requests that arrive. */
async function serve(answer: { status?: number; headers?: Record<string, string>; body: string | Buffer }) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response
      .writeHead(answer.status ?? 200, answer.headers ?? { 'content-type': 'text/html' })
      .end(answer.body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const reach = { isAllowed: () => true, isPort: (given: string) => given === String(port) }
  return { url: `http://127.0.0.1:${port}`, port, reach, seen }
}

describe('84. An import names an address inside our network', () => {
  test('84. 20 hostile addresses are refused, and nothing is asked', async () => {
    const { token } = await customerInPeriod(world)
    const inside = await serve({ body: '<p>secret</p>' })
    const hostile = [
      inside.url,
      `http://localhost:${inside.port}/`,
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f.0.0.1/',
      'http://0177.0.0.1/',
      'http://0/',
      'http://10.0.0.1/',
      'http://172.16.0.1/',
      'http://192.168.0.1/',
      'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[fe80::1]/',
      'http://[fd12:3456::1]/',
      'http://[64:ff9b::a9fe:a9fe]/',
      'http://user:secret@example.com/',
      'https://example.com:5432/',
      'file:///etc/passwd',
    ]
    expect(hostile).toHaveLength(20)
    for (const url of hostile) {
      const answer = await world.post('read-page', { url }, bearer(token))
      expect([url, answer.status, answer.json]).toEqual([
        url,
        400,
        { error: { code: 'invalid_request', message: expect.stringContaining('public website') as string } },
      ])
    }
    expect(inside.seen).toEqual([])
    // That was as often as one customer may within ten minutes.
    expect((await world.post('read-page', { url: 'https://example.com/' }, bearer(token))).status).toBe(429)
  })

  test('nobody without a session reads a page', async () => {
    expect((await world.post('read-page', { url: 'https://example.com/' })).status).toBe(401)
  })
})

describe('a page is read', () => {
  test('as text, with its umlauts', async () => {
    const { url, reach } = await serve({
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<title>Café Rössli</title><h2>Are dogs welcome?</h2><p>Yes.</p>',
    })
    expect(await readPageText(url, reach)).toEqual({
      ok: true,
      value: { text: 'Name: Café Rössli\n\n# Are dogs welcome?\n\nYes.' },
    })
  })

  const html = '<title>Café Größer</title><p>Straße 5'
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const utf16 = Buffer.from(`\ufeff${html}`, 'utf16le')
  const type = 'text/html'
  test.each([
    ['as its header says', { 'content-type': `${type}; charset="ISO-8859-1"` }, latin(html)],
    ['as its meta element says', { 'content-type': type }, latin(`<META charset=iso-8859-1>${html}`)],
    [
      'as its old meta element says',
      { 'content-type': type },
      latin(`<meta http-equiv=Content-Type content="text/html; charset=windows-1252">${html}`),
    ],
    [
      'as its XML declaration says',
      { 'content-type': 'application/xhtml+xml' },
      latin(`<?xml version="1.0" encoding="iso-8859-1"?>${html}`),
    ],
    ['as its byte order mark says', { 'content-type': `${type}; charset=utf-8` }, utf16],
    [
      'by its bytes, if it names no charset that there is',
      { 'content-type': `${type}; charset=x` },
      latin(html),
    ],
    ['unpacked, if it comes as gzip', { 'content-type': type, 'content-encoding': 'gzip' }, gzipSync(html)],
    [
      'unpacked, if it comes as deflate',
      { 'content-type': type, 'content-encoding': 'deflate' },
      deflateSync(html),
    ],
    [
      'unpacked, if it comes as Brotli',
      { 'content-type': type, 'content-encoding': 'BR' },
      brotliCompressSync(html),
    ],
  ])('%s', async (_, headers, body) => {
    const { url, reach } = await serve({ headers, body })
    expect(await readPageText(url, reach)).toEqual({
      ok: true,
      value: { text: 'Name: Café Größer\n\nStraße 5' },
    })
  })

  const packed = (body: string | Buffer) => ({
    headers: { 'content-type': type, 'content-encoding': 'gzip' },
    body,
  })
  test.each([
    [
      '84. A page that is too long once it is unpacked',
      packed(gzipSync('x'.repeat(2 * 1024 * 1024 + 1))),
      'invalid_request',
    ],
    ['a page that cannot be unpacked', packed('<p>not packed</p>'), 'not_found'],
    ['an image', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'not_found'],
    ['an error', { status: 404, body: '<p>Not here</p>' }, 'not_found'],
    ['an empty page', { body: '<script>1</script>' }, 'not_found'],
    ['a page that is too long', { body: 'x'.repeat(2 * 1024 * 1024 + 1) }, 'invalid_request'],
    [
      'a redirect into the network',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
      'invalid_request',
    ],
  ])('%s is refused', async (_, answer, code) => {
    const { url, reach } = await serve(answer)
    expect(await readPageText(url, reach)).toMatchObject({ ok: false, failure: { code } })
  })
})
