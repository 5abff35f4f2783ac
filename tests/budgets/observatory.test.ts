import fs from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scan } from '@mdn/mdn-http-observatory'
import axios, { AxiosHeaders, type InternalAxiosRequestConfig } from 'axios'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSite, type Site } from '../../local/site.ts'
import { builtPages } from '../support/built-pages.ts'

// MDN's HTTP Observatory scans public hosts. Here its requests go to Netlify's emulation of the site; what the host adds
// is as at Netlify: a valid certificate, and a redirect from HTTP.
const host = 'agents.example'
const server = createServer((request, response) => void site.handle(request, response))
let site: Site

async function answer(config: InternalAxiosRequestConfig) {
  const { protocol, pathname, host: asked } = new URL(axios.getUri(config))
  expect(asked).toBe(host)
  if (protocol === 'http:') {
    const location = `https://${host}${pathname}`
    return { data: '', status: 301, statusText: '', headers: { location }, config }
  }
  const { port } = server.address() as AddressInfo
  const headers = AxiosHeaders.from(config.headers).toJSON() as Record<string, string>
  const found = await fetch(`http://localhost:${port}${pathname}`, {
    method: config.method ?? 'GET',
    headers,
  })
  return {
    // It reads elements. The parser that it uses stops at today's CSS.
    data: (await found.text()).replace(/<style[\s\S]*?<\/style>/g, ''),
    status: found.status,
    statusText: found.statusText,
    headers: Object.fromEntries(found.headers),
    config,
  }
}

beforeAll(async () => {
  site = await startSite('.')
  await once(server.listen(0), 'listening')
  axios.defaults.adapter = answer
  // Browsers' list of domains that have only HTTPS, which the package downloads. A new domain is not on it.
  const read = fs.readFileSync
  vi.spyOn(fs, 'readFileSync').mockImplementation(((...given: Parameters<typeof read>) =>
    String(given[0]).endsWith('hsts-preload.json') ? '{}' : read(...given)) as typeof read)
})
afterAll(async () => {
  server.close()
  await site.close()
})

test('MDN’s HTTP Observatory gives every page an A+', async () => {
  const paths = builtPages().map(({ path }) => path)
  const grades = []
  for (const path of paths.filter((each) => each !== '/404.html')) {
    const { scan: found, tests } = await scan(`${host}${path}`)
    const failed = Object.values(tests).flatMap(({ pass, result }) => (pass ? [] : [result]))
    grades.push({ path, grade: found.grade, failed })
  }
  expect(grades.length).toBeGreaterThan(20)
  expect(grades.filter(({ grade, failed }) => grade !== 'A+' || failed.length > 0)).toEqual([])
})
