/**
 * What the content policy of a page that takes or confirms payments by card has to allow: Stripe.js, its API and its
 * frames (https://docs.stripe.com/security/guide#content-security-policy).
 */
export const stripeSources = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  connect: 'https://api.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
} as const
