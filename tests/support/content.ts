import { globSync } from 'node:fs'
import { basename } from 'node:path'

/** The names of the files of a content folder, which are its entries' ids. */
export const idsIn = (folder: string): string[] =>
  globSync(`content/${folder}/*.md`)
    .map((file) => basename(file, '.md'))
    .sort()
