import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { settingsOf } from './settings.ts'

test('an empty environment gives the defaults', () => {
  const { port, origin, data, environment } = settingsOf({ PORT: '', DESKBELL_DATA: '' })
  expect({ port, origin, data }).toEqual({
    port: 4321,
    origin: 'http://localhost:4321',
    data: resolve('.local'),
  })
  expect(environment.PUBLIC_SITE_URL).toBe('http://localhost:4321')
})

test('given variables are kept, and no unrelated ones of the shell', () => {
  const { origin, data, environment } = settingsOf({
    PORT: '5000',
    DESKBELL_DATA: '/data',
    MAIL_API_KEY: 're_given',
    HOME: '/home/somebody',
    AWS_SECRET_ACCESS_KEY: 'of another program',
  })
  expect([origin, data]).toEqual(['http://localhost:5000', '/data'])
  expect(environment.MAIL_API_KEY).toBe('re_given')
  expect(Object.keys(environment)).not.toContain('HOME')
  expect(Object.keys(environment)).not.toContain('AWS_SECRET_ACCESS_KEY')
})

test.each(['80a', '0', '-1', '70000', '4321.5'])('PORT=%s is refused', (PORT) => {
  expect(() => settingsOf({ PORT })).toThrow(`PORT is not a port: ${PORT}`)
})
