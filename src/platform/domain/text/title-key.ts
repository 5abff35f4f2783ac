/** Returns a title without case, accents and punctuation: two titles with the same key are the same. */
export const titleKey = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
