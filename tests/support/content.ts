import { globSync } from 'node:fs'
import { basename } from 'node:path'

/** Returns the ids of the entries of a content folder, which are its file names. */
export const idsIn = (folder: string): string[] =>
  globSync(`content/${folder}/*.md`)
    .map((file) => basename(file, '.md'))
    .sort()
