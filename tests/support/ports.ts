/**
 * The first of the ten ports that `npm test` listens on. E2E_PORT names another, so that two copies of the project can be
 * tested at once, or next to a running site.
 */
export const firstPort = Number(process.env.E2E_PORT ?? 4390)

/** The port of the world's origin (world.ts). No server listens there. */
export const worldPort = 4579
