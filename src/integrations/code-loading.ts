import { build, type Plugin } from 'vite'

const preloadHelper = '\0vite/preload-helper.js'
const inlineQuery = '?inline-script'

/**
 * Replaces Vite's way of loading code on use by ours (src/layouts/loading). Vite gives each `import()` the list of the
 * files that it needs and asks for them by `modulepreload`, of which a browser may remember the failure.
 */
export const codeLoading = (): Plugin => ({
  name: 'deskbell-code-loading',
  enforce: 'pre',
  config: () => ({
    build: {
      modulePreload: {
        polyfill: false,
        // An address that is only known when the page runs is no file of the build.
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

/** `import code from './file.ts?inline-script'`: the file and what it imports as one minified script, to stand in a page. */
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
