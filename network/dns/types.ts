/** Record types that we query or read, by name (IANA: Resource Record types). */
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

/** `A`, or `TYPE65280` for one without a name here (RFC 3597, 5). */
export const typeName = (number: number): string => NAMES.get(number) ?? `TYPE${number}`;

const RCODES: readonly string[] = [
  ...['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'],
  ...['YXDOMAIN', 'YXRRSET', 'NXRRSET', 'NOTAUTH', 'NOTZONE'],
];
const BADVERS = 16;

/** `NXDOMAIN`, or `RCODE12` for one without a name here. */
export const rcodeName = (number: number): string =>
  number === BADVERS ? 'BADVERS' : (RCODES[number] ?? `RCODE${number}`);
