/** A special-purpose address range. */
export interface SpecialRange {
  range: string;
  /** name of the range in error messages, such as `link-local` in "169.254.169.254 (link-local)" */
  kind: string;
  /** whether the `internal` policy allows the range, because users monitor their own networks */
  internal: boolean;
}

const own = (range: string, kind: string): SpecialRange => ({ range, kind, internal: true });
const never = (range: string, kind: string): SpecialRange => ({ range, kind, internal: false });

/**
 * Ranges that are not globally routable unicast (IANA special-purpose address registries for IPv4 and IPv6). Narrower
 * ranges come before wider ones, because the first match counts. Both policies refuse `never` ranges.
 */
export const SPECIAL_RANGES: readonly SpecialRange[] = [
  // Addresses outside link-local that serve cloud instance metadata, which contains credentials of the machine.
  never('100.100.100.200/32', 'cloud metadata'),
  never('168.63.129.16/32', 'cloud metadata'),
  never('192.0.0.192/32', 'cloud metadata'),
  never('fd00:ec2::254/128', 'cloud metadata'),
  never('fd20:ce::254/128', 'cloud metadata'),

  never('0.0.0.0/8', 'unspecified'),
  never('169.254.0.0/16', 'link-local'),
  never('224.0.0.0/4', 'multicast'),
  never('255.255.255.255/32', 'broadcast'),
  never('::/128', 'unspecified'),
  never('fe80::/10', 'link-local'),
  never('ff00::/8', 'multicast'),

  own('10.0.0.0/8', 'private'),
  own('100.64.0.0/10', 'shared address space'),
  own('127.0.0.0/8', 'loopback'),
  own('172.16.0.0/12', 'private'),
  own('192.0.0.0/24', 'reserved'),
  own('192.0.2.0/24', 'documentation'),
  own('192.88.99.0/24', 'reserved'),
  own('192.168.0.0/16', 'private'),
  own('198.18.0.0/15', 'benchmarking'),
  own('198.51.100.0/24', 'documentation'),
  own('203.0.113.0/24', 'documentation'),
  own('240.0.0.0/4', 'reserved'),

  own('::1/128', 'loopback'),
  own('fc00::/7', 'private'),
  own('fec0::/10', 'site-local'),
  own('2001:db8::/32', 'documentation'),
  own('3fff::/20', 'documentation'),
  own('2001::/23', 'reserved'),
  own('2002::/16', '6to4'),
  own('100::/64', 'discard-only'),
  own('5f00::/16', 'segment routing'),
];

/** IPv6 ranges whose addresses embed an IPv4 address, with the positions of the IPv4 bytes in the address. */
export const EMBEDDINGS: readonly {
  range: string;
  /** whether only the embedded address is evaluated, and not the IPv6 address */
  transparent: boolean;
  bytes: readonly [number, number, number, number];
  inverted?: boolean;
  /**
   * Whether addresses in this range embed an IPv4 address at one of several positions, of which `bytes` is one. If the
   * bytes at these positions are 0.0.0.0, the embedded address is at another position.
   */
  oneOfSeveral?: boolean;
}[] = [
  { range: '::ffff:0:0/96', transparent: true, bytes: [12, 13, 14, 15] }, // IPv4-mapped, RFC 4291
  { range: '::ffff:0:0:0/96', transparent: true, bytes: [12, 13, 14, 15] }, // IPv4-translated, RFC 2765
  { range: '64:ff9b::/96', transparent: true, bytes: [12, 13, 14, 15] }, // NAT64, RFC 6052
  { range: '64:ff9b:1::/48', transparent: false, bytes: [6, 7, 9, 10], oneOfSeveral: true }, // local NAT64, RFC 8215
  { range: '64:ff9b:1::/48', transparent: false, bytes: [12, 13, 14, 15], oneOfSeveral: true },
  { range: '2002::/16', transparent: false, bytes: [2, 3, 4, 5] }, // 6to4, RFC 3056
  { range: '2001::/32', transparent: false, bytes: [4, 5, 6, 7] }, // Teredo server, RFC 4380
  { range: '2001::/32', transparent: false, bytes: [12, 13, 14, 15], inverted: true }, // Teredo client
  { range: '::/96', transparent: false, bytes: [12, 13, 14, 15] }, // IPv4-compatible, RFC 4291 (deprecated)
];

/** The only IPv6 range that is assigned as global unicast. */
export const GLOBAL_UNICAST_V6 = '2000::/3';
