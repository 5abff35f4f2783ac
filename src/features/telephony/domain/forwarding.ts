/** How a phone is told to forward its calls, and no longer to. */
export interface Forwarding {
  name: string
  /** Returns what is dialled to forward to a number in E.164. */
  begin: (number: string) => string
  end: string
}

/**
 * The codes of mobile networks all over the world (3GPP TS 22.030, annex B: service codes 21, 67 and 61). Fixed networks
 * in Europe mostly take them too, with one asterisk.
 */
export const mobileForwarding: readonly Forwarding[] = [
  { name: 'All calls', begin: (number) => `**21*${number}#`, end: '##21#' },
  { name: 'Calls while your line is busy', begin: (number) => `**67*${number}#`, end: '##67#' },
  { name: 'Calls that nobody answers', begin: (number) => `**61*${number}#`, end: '##61#' },
]

/** The codes of fixed networks in North America (NANPA vertical service codes 72 and 73). */
export const northAmericanForwarding: readonly Forwarding[] = [
  {
    name: 'All calls, on a North American landline',
    begin: (number) => `*72 ${national(number)}`,
    end: '*73',
  },
]

const national = (number: string): string => number.replace(/^\+1/, '')
