import { build, type Plugin } from 'vite'

const preloadHelper = '\0vite/preload-helper.js'
const inlineQuery = '?inline-script'

/**
 * Replaces Vite's loader of dynamic imports by our own (src/page-scripts/loading). Vite passes each `import()` the
 * list of files that it needs, but fetches them by `modulepreload`. Some browsers remember the failure of a
 * `modulepreload`.
 */
export const codeLoading = (): Plugin => ({
  name: 'deskbell-code-loading',
  enforce: 'pre',
  config: () => ({
    build: {
      modulePreload: {
        polyfill: false,
        // A URL that is computed at run time is not a file of the build.
        resolveDependencies: (file, others) => (file.includes('$') ? [] : [...new Set([file, ...others])]),
      },
    },
  }),
  load(id) {
    if (id !== preloadHelper) return
    return (
      'export const __vitePreload = (importModule, files = []) => ' +
      'window.codeLoader.load(files.map((file) => "/" + file), importModule)'
    )
  },
})

/** Adds `import code from './file.ts?inline-script'`: a file and its imports as one minified inline script. */
export const inlineScripts = (): Plugin => ({
  name: 'deskbell-inline-scripts',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(inlineQuery)) return
    const built = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        minify: true,
        lib: { entry: id.slice(0, -inlineQuery.length), formats: ['iife'], name: 'inline' },
      },
    })
    const [output] = Array.isArray(built) ? built : [built]
    if (!output || !('output' in output)) throw new Error(`${id} was not built`)
    const [{ code }] = output.output
    return `export default ${JSON.stringify(code.trim())}`
  },
})
