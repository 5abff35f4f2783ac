import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { site } from '#site'
import { NoSubscription } from '#billing/ui/NoSubscription.tsx'

test('an account without a subscription gets an e-mail link with a prepared text, and can sign out', async () => {
  let logOuts = 0
  const screen = await render(<NoSubscription email="desk+1@hotel.example" onLogout={() => (logOuts += 1)} />)
  const link = screen.getByRole('link', { name: site.email }).element().getAttribute('href') ?? ''
  const letter = new URL(link)
  expect(letter.protocol + letter.pathname).toBe(`mailto:${site.email}`)
  // Mail programs decode only percent signs, not a plus.
  const [subject, body] = letter.search
    .slice(1)
    .split('&')
    .map((field) => decodeURIComponent(field.split('=')[1] ?? ''))
  expect(subject).toBe('My subscription is missing')
  expect(body).toContain('Account: desk+1@hotel.example\n')
  expect(body).toContain('Day of the payment: \n')
  await expect.element(screen.getByText('desk+1@hotel.example')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  await screen.getByRole('button', { name: 'Logout' }).click()
  expect(logOuts).toBe(1)
})
