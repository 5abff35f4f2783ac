import { expect, test } from 'vitest'
import { problemAt, withoutField, type FieldProblem } from './field-problem.ts'

const both: FieldProblem<'email' | 'card'> = {
  field: 'email',
  message: 'Enter your email address.',
  also: [{ field: 'card', message: 'Enter your card details.' }],
}

test('each of two fields shows its own problem, and an edit corrects one of them', () => {
  expect([problemAt('email', both).problem, problemAt('card', both).problem]).toEqual([
    'Enter your email address.',
    'Enter your card details.',
  ])
  const left = withoutField(both, 'email')
  expect([problemAt('email', left).problem, problemAt('card', left).problem]).toEqual([
    undefined,
    'Enter your card details.',
  ])
  expect(left && withoutField(left, 'card')).toBeUndefined()
  expect(problemAt('card', withoutField(both, 'card'))).toEqual({})
})

test('an edit of any field corrects what a toast announces', () => {
  const toast = { title: 'Wrong', variant: 'destructive' } as const
  expect(withoutField({ field: 'email', message: 'Wrong.', toast }, 'password')).toBeUndefined()
})
