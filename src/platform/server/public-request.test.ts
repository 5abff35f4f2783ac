import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPublicAddress } from '#platform/server/outgoing/public-address.ts'
import { requestPublic, type PublicRequest, type Reach } from './public-request.ts'

const options: PublicRequest = { timeout: 5_000, limit: 1_000, redirects: 2 }

describe('a URL that does not lead to the public web is refused without a connection', () => {
  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,hello',
    'example.com',
    'http://user:secret@example.com/',
    'https://example.com:8443/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://localhost/',
    'http://10.0.0.8/',
    'http://172.16.4.4/',
    'http://192.168.1.1/admin',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
  ])('%s', async (url) => {
    expect(await requestPublic(url, options)).toEqual({ ok: false, problem: 'forbidden' })
  })
})

test.each([
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['172.32.0.1', true],
  ['2001:db8::1', false],
  ['example.com', false],
])('isPublicAddress(%s) is %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

describe('a server', () => {
  async function serve(listener: RequestListener): Promise<{ url: string; reach: Reach }> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => server.closeAllConnections())
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      reach: { isAllowed: (address) => address === '127.0.0.1', isPort: (given) => given === String(port) },
    }
  }

  test('is asked as it says, and its answer is returned', async () => {
    const { url, reach } = await serve((request, response) => {
      response.setHeader('content-type', 'text/plain')
      request.pipe(response)
    })
    const posted = { ...options, method: 'POST' as const, body: 'Grüße' }
    expect(await requestPublic(`${url}/hook`, posted, reach)).toMatchObject({
      ok: true,
      status: 200,
      type: 'text/plain',
      text: 'Grüße',
    })
  })

  test('may redirect, but not into a network', async () => {
    const { url, reach } = await serve(({ url: path }, response) => {
      const to = { '/': '/page', '/evil': 'http://192.168.1.1/', '/page': undefined, '/loop': '/loop' }[path!]
      response.writeHead(to ? 302 : 200, to ? { location: to } : {}).end('the page')
    })
    expect(await requestPublic(`${url}/`, options, reach)).toMatchObject({
      text: 'the page',
      url: `${url}/page`,
    })
    expect(await requestPublic(`${url}/evil`, options, reach)).toEqual({ ok: false, problem: 'forbidden' })
    expect(await requestPublic(`${url}/loop`, options, reach)).toMatchObject({ ok: true, status: 302 })
  })

  test('is cut off at the limit of bytes', async () => {
    const { url, reach } = await serve((_, response) => void response.end('x'.repeat(1_001)))
    expect(await requestPublic(url, options, reach)).toEqual({ ok: false, problem: 'too_large' })
  })

  test('is not waited for longer than the limit', async () => {
    const { url, reach } = await serve((_, response) => void response.write('slow'))
    const soon = { ...options, timeout: 100 }
    expect(await requestPublic(url, soon, reach)).toEqual({ ok: false, problem: 'unreachable' })
  })

  test('that changes the protocol is unreachable', async () => {
    const { url, reach } = await serve(({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
    )
    expect(await requestPublic(url, options, reach)).toEqual({ ok: false, problem: 'unreachable' })
  })

  test('that is gone is unreachable', async () => {
    const reach: Reach = { isAllowed: () => true, isPort: () => true }
    expect(await requestPublic('http://127.0.0.1:9/', options, reach)).toEqual({
      ok: false,
      problem: 'unreachable',
    })
  })
})
