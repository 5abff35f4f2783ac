import { defineConfig, envField } from 'astro/config'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import tailwindcss from '@tailwindcss/vite'
import { browserVariables } from './src/platform/domain/browser-variables.ts'
import { absoluteUrl, isPublicPage } from './src/platform/domain/routes.ts'
import { voiceSetting } from './src/features/assistant/domain/voice-setting.ts'
import { voiceSources } from './src/features/assistant/domain/voice-sources.ts'
import { finishedPages } from './src/integrations/finished-pages.ts'
import { inlineScripts } from './src/integrations/inline-scripts.ts'
import { openGraphImages } from './src/integrations/open-graph.ts'
import { scriptFiles } from './src/integrations/script-files.ts'
import { searchIndex } from './src/integrations/search-index.ts'

const browser = { context: /** @type {const} */ ('client'), access: /** @type {const} */ ('public') }
const fields = {
  required: envField.string({ ...browser, min: 1 }),
  optional: envField.string({ ...browser, optional: true }),
}
const schema = Object.fromEntries(
  Object.entries(browserVariables).map(([name, need]) => [name, fields[need]]),
)

/** Returns the origin of an absolute URL, for the Content Security Policy; none for a path on our own origin. */
const originOf = (url) => (url && /^https?:/.test(url) ? [new URL(url).origin] : [])
const supabase = originOf(process.env.PUBLIC_SUPABASE_URL)

// Throws, and so stops the build, if the setting names an unknown provider.
const voice = voiceSources(voiceSetting(process.env.PUBLIC_VOICE_WIDGET, false))

/** The sitemap of the public pages, each with its canonical URL. */
const publicPages = sitemap({
  filter: (page) => isPublicPage(new URL(page).pathname),
  serialize: (item) => {
    const page = new URL(item.url)
    return { ...item, url: absoluteUrl(page.pathname, page) }
  },
  namespaces: { news: false, xhtml: false, image: false, video: false },
})

export default defineConfig({
  site: process.env.PUBLIC_SITE_URL,
  output: 'static',
  trailingSlash: 'ignore',
  build: { format: 'directory', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  markdown: { syntaxHighlight: 'prism' },
  integrations: [react(), publicPages, openGraphImages(), searchIndex(), finishedPages()],
  vite: {
    plugins: [tailwindcss(), inlineScripts()],
    environments: { client: { build: { rolldownOptions: { output: scriptFiles } } } },
  },
  env: {
    validateSecrets: true,
    schema,
  },
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        `img-src ${["'self'", 'data:', 'blob:', ...supabase].join(' ')}`,
        `media-src ${["'self'", 'blob:', ...supabase, ...voice.media].join(' ')}`,
        `connect-src ${["'self'", ...supabase, ...voice.connect].join(' ')}`,
        `frame-src ${["'self'", ...voice.frame].join(' ')}`,
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
      ],
      scriptDirective: { resources: ["'self'", "'wasm-unsafe-eval'", ...voice.script] },
    },
  },
})
