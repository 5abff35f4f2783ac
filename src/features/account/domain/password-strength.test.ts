import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

test.each([
  ['', 'short'],
  ['Kx7#q', 'short'],
  ['123456', 'weak'],
  ['aaaaaaaaaaaa', 'weak'],
  ['password2026', 'weak'],
  ['Welcome1!', 'weak'],
  ['abcdefghijkl', 'weak'],
  ['front-desk-1', 'weak'],
  ['lampmoth', 'weak'],
  ['teacup-owl', 'fair'],
  ['Kx7#qZ2m', 'fair'],
  ['teacup owl ladder', 'strong'],
  ['Kx7#qZ2m!vPw', 'strong'],
])('%j is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})
