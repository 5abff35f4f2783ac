import { existsSync, readdirSync } from 'node:fs'

/**
 * Returns why a text that becomes a page of its own would never be shown: another page has its address.
 * @param others the other folders of content/ whose texts become such pages
 */
export const hiddenPage =
  (...others: readonly string[]) =>
  (id: string): string | undefined => {
    const isPage = readdirSync('src/pages').some((file) => file.split('.')[0] === id)
    const other = others.find((folder) => existsSync(`content/${folder}/${id}.md`))
    if (!isPage && !other) return undefined
    const taken = other ? `content/${other}/${id}.md has it, too` : 'a page of the site has it already'
    return `would make the address /${id}, but ${taken}. Choose another name.`
  }
