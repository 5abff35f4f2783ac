import { build, type Plugin } from 'vite'

const inlineQuery = '?inline-script'

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
