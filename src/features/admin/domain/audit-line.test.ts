import { expect, test } from 'vitest'
import { changedFields, describeChange } from './audit-line.ts'

const by = { actor_email: 'admin@desk.example', subject_id: '7', before: null, after: null, email: null }

test.each([
  [
    { ...by, action: 'blocked', subject: 'user_subscriptions', email: 'ann@hotel.example' },
    'admin@desk.example',
    'blocked ann@hotel.example',
  ],
  [
    { ...by, action: 'activated', subject: 'user_subscriptions' },
    'admin@desk.example',
    'activated an account that was deleted since',
  ],
  [
    {
      ...by,
      actor_email: null,
      action: 'released',
      subject: 'user_subscriptions',
      email: 'ann@hotel.example',
    },
    'The server',
    'took back “active” for ann@hotel.example: Stripe has a new status',
  ],
  [
    { ...by, action: 'added', subject: 'faqs', after: { question: 'Is there a trial?' } },
    'admin@desk.example',
    'added the FAQ “Is there a trial?”',
  ],
  [
    { ...by, action: 'deleted', subject: 'audio_demos', before: { title: 'Night desk' } },
    'admin@desk.example',
    'deleted the demo “Night desk”',
  ],
  [{ ...by, action: 'changed', subject: 'site_settings' }, 'admin@desk.example', 'changed the settings'],
  [{ ...by, action: 'published', subject: 'site' }, 'admin@desk.example', 'published the site'],
  [
    { ...by, actor_email: null, action: 'failed to publish', subject: 'site' },
    'The build',
    'failed to publish the site',
  ],
])('%o reads “%s %s”', (change, actor, action) => {
  expect(describeChange(change)).toEqual({ actor, action })
})

test('only fields that differ are listed, a missing one as none', () => {
  const before = { status: 'active', admin_status: null, deleted_at: null }
  const after = { status: 'blocked', admin_status: 'blocked', deleted_at: '2026-11-22' }
  expect(changedFields({ ...by, action: 'blocked', subject: 'user_subscriptions', before, after })).toEqual([
    { name: 'status', was: 'active', is: 'blocked' },
    { name: 'admin status', was: 'none', is: 'blocked' },
  ])
})
