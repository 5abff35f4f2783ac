import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, fingerprint } from './build.ts'

/**
 * What the admin has published on this machine: builds from files and database rows, kept next to the database. Each
 * build has its own directory and is served only once it is complete, as on Netlify.
 */
export interface Publication {
  /** Returns the root of the site to serve: the last publication, rebuilt if stale, or this project if there is none. */
  current(beforeBuild: () => void): Promise<string>
  /**
   * Builds the site with the present rows of the database.
   * @returns the root of the new site
   * @throws Error with the output of the build; the last publication stays
   */
  publish(): Promise<string>
}

export function openPublication(directory: string, environment: Record<string, string>): Publication {
  const pointer = join(directory, 'current.json')

  async function publish(): Promise<string> {
    const name = `site-${randomUUID()}`
    const root = join(directory, name)
    // The build renders pages with code in its output directory, which must find this project's packages: so the
    // directory is inside the project.
    const workshop = join('node_modules', '.cache', 'deskbell', name)
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
