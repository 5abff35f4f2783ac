import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, fingerprint } from './build.ts'

/**
 * What the admin has published on this machine: builds of files and database rows, kept beside the database they are
 * of. Each is made in a directory of its own and takes its place once it is whole, as on a host.
 */
export interface Publication {
  /** The root of the site to serve: the last publication, or this project where there is none. Built anew if stale. */
  current(beforeBuild: () => void): Promise<string>
  /**
   * Builds the site with what the database holds now, and answers its root.
   * @throws Error with the build's own output; what was published before stays
   */
  publish(): Promise<string>
}

export function openPublication(directory: string, environment: Record<string, string>): Publication {
  const pointer = join(directory, 'current.json')

  async function publish(): Promise<string> {
    const name = `site-${Date.now()}`
    const root = join(directory, name)
    // Pages are rendered from where they are built, with this project's packages: hence inside it.
    const workshop = join('node_modules', '.cache', 'deskbell', `${name}-${process.pid}`)
    const stamp = await fingerprint(environment)
    try {
      await build(workshop, environment)
      await mkdir(root, { recursive: true })
      await cp(workshop, join(root, 'dist'), { recursive: true })
    } finally {
      await rm(workshop, { recursive: true, force: true })
    }
    await cp('netlify.toml', join(root, 'netlify.toml'))
    await writeFile(pointer, JSON.stringify({ name, stamp }))
    return root
  }

  return {
    publish,
    async current(beforeBuild) {
      if (!existsSync(pointer)) return process.cwd()
      const { name, stamp } = JSON.parse(await readFile(pointer, 'utf8')) as Record<string, string>
      for (const each of await readdir(directory)) {
        if (each.startsWith('site-') && each !== name)
          await rm(join(directory, each), { recursive: true, force: true })
      }
      const root = join(directory, name ?? '')
      if (stamp === (await fingerprint(environment)) && existsSync(join(root, 'dist'))) return root
      beforeBuild()
      return publish()
    },
  }
}
