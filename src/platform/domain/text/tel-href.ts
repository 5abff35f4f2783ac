/**
 * Returns the address that dials a phone number, in E.164 or as people write it. The (0) of +49 (0)30 is for those who dial without
 * the country code.
 */
export const telHref = (phone: string): string =>
  `tel:${phone.replace(/^(\+.*)\(0\)/, '$1').replace(/[^\d+]/g, '')}`
