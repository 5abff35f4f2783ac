import { defineConfig } from 'vitest/config'

/** The unit tests of the rooms whose mutants are looked for: they need neither Astro nor a database. */
export default defineConfig({
  test: { include: ['src/features/{billing,telephony}/domain/**/*.test.ts'], environment: 'node' },
})
