import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not part of the public internet (IANA's special-purpose registry, RFC 6890). */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, prefix, 'ipv4')

/** The IPv6 networks that IANA has given out, and those inside them that lead elsewhere: to IPv4, or to documentation. */
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')
const misleading = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  misleading.addSubnet(network, prefix, 'ipv6')

/** Returns whether an IP address is on the public internet. A name is not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && given.check(address, 'ipv6') && !misleading.check(address, 'ipv6')
}
