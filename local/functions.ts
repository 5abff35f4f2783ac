import { NetlifyDev } from '@netlify/dev'

const off = { enabled: false }

/** Netlify's own emulation of what is asked for and nothing else; it runs offline and without a login. */
export async function startNetlify(parts: { site: boolean }): Promise<NetlifyDev> {
  const site = parts.site ? {} : { redirects: off, headers: off, staticFiles: off }
  const netlify = new NetlifyDev({
    projectRoot: process.cwd(),
    skipGitignore: true,
    serverAddress: null,
    aiGateway: off,
    blobs: off,
    database: off,
    edgeFunctions: off,
    images: off,
    geolocation: off,
    ...site,
  })
  await netlify.start()
  return netlify
}
