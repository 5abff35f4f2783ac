/**
 * What the content policy of a page with a card field has to allow: Stripe.js, its frames and its API
 * (https://docs.stripe.com/security/guide#content-security-policy).
 */
export const stripeSources = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  directives: [
    'connect-src https://api.stripe.com',
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  ],
} as const
