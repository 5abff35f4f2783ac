import { expect, test } from './fixtures.ts'

test.use({ allowedConsole: /out of order|no answer|tracker\.example/ })

test('a page reports its errors and what its policy refused, once each, to our own function', async ({
  page,
}) => {
  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/.netlify/functions/report-error')) answers.push(response.status())
  })
  // Playwright does not see what a beacon contains.
  const bodies: string[] = []
  await page.exposeFunction('note', (body: string) => bodies.push(body))
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator)
    const { note } = window as unknown as { note: (body: string) => void }
    navigator.sendBeacon = (url, data) => {
      void (data as Blob).text().then(note)
      return send(url, data)
    }
  })
  await page.goto('/checkout?plan=growth')
  await expect(page.getByRole('button', { name: 'Subscribe Securely' })).toBeEnabled()
  await page.evaluate(() => {
    const fail = () => {
      throw new TypeError('out of order')
    }
    setTimeout(fail)
    setTimeout(fail)
    void Promise.reject(new Error('no answer'))
    new Image().src = 'https://tracker.example/pixel.png'
  })
  await expect.poll(() => answers).toEqual([204, 204, 204])
  await expect.poll(() => bodies).toHaveLength(3)
  const all = bodies.join()
  for (const part of ['out of order', 'no answer', '"page":"/checkout"', 'https://tracker.example/pixel.png'])
    expect(all).toContain(part)
})
