/** Record types that this program queries or reads (IANA: Resource Record types). */
export const TYPE_NUMBERS = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DNAME: 39,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  DNSKEY: 48,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
} as const;
export type TypeName = keyof typeof TYPE_NUMBERS;

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(TYPE_NUMBERS).map(([name, number]) => [number, name] as const),
);

/** Returns the name of a record type: `A`, or `TYPE65280` if the type is not listed above (RFC 3597, 5). */
export const typeName = (number: number): string => NAMES.get(number) ?? `TYPE${number}`;

const RCODES: readonly string[] = [
  ...['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'],
  ...['YXDOMAIN', 'YXRRSET', 'NXRRSET', 'NOTAUTH', 'NOTZONE'],
];
const BADVERS = 16;

/** Returns the name of an RCODE: `NXDOMAIN`, or `RCODE12` if the code is not listed above. */
export const rcodeName = (number: number): string =>
  number === BADVERS ? 'BADVERS' : (RCODES[number] ?? `RCODE${number}`);
