import { SUITE_NAMES } from './suite-names.ts';

/** The key exchange of a suite. `any` is for TLS 1.3, in which the suite does not determine the key exchange. */
export type KeyExchange = 'RSA' | 'DH' | 'DHE' | 'ECDH' | 'ECDHE' | 'PSK' | 'SRP' | 'KRB5' | 'GOST' | 'ECCPWD' | 'any';

/** The authentication of the server. `any` is for TLS 1.3, in which the suite does not determine the authentication. */
export type Authentication = 'RSA' | 'DSS' | 'ECDSA' | 'anonymous' | 'PSK' | 'SRP' | 'KRB5' | 'GOST' | 'ECCPWD' | 'any';

export type Mode = 'GCM' | 'CCM' | 'POLY1305' | 'CBC' | 'stream' | 'MGM' | 'none';

/** The properties of a cipher suite. They follow from its name. */
export interface Suite {
  /** number of the suite, which has two bytes, or three in SSL 2.0 */
  id: number;
  /** the IANA name: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` */
  name: string;
  exchange: KeyExchange;
  authentication: Authentication;
  /** `AES`, `3DES`, `RC4`, `NULL`, … */
  cipher: string;
  /** effective strength of the cipher, in bits: 112 for 3DES, 40 or 56 for export suites, 0 without encryption */
  bits: number;
  mode: Mode;
  /** whether the suite was weakened for the export rules of the 1990s */
  export: boolean;
  /** whether recorded connections remain secret if the server's key is stolen later */
  forwardSecrecy: boolean;
  /** the oldest (`first`) and the newest protocol (`last`) with this suite, as on the wire */
  first: number;
  last: number;
}

const SSL_2 = 0x0002;
const SSL_3 = 0x0300;
const TLS_1_2 = 0x0303;
const TLS_1_3 = 0x0304;

const CIPHERS: readonly (readonly [pattern: RegExp, cipher: string, bits: number])[] = [
  [/NULL/, 'NULL', 0],
  [/RC4_56/, 'RC4', 56],
  [/RC4_64/, 'RC4', 64],
  [/RC4.*(EXPORT40|40)/, 'RC4', 40],
  [/RC4/, 'RC4', 128],
  [/RC2.*(EXPORT40|_40)/, 'RC2', 40],
  [/RC2.*_56/, 'RC2', 56],
  [/RC2/, 'RC2', 128],
  [/IDEA/, 'IDEA', 128],
  [/3DES|DES_192_EDE3/, '3DES', 112],
  [/DES40|DES_CBC_40/, 'DES', 40],
  [/DES/, 'DES', 56],
  [/AES_128/, 'AES', 128],
  [/AES_256/, 'AES', 256],
  [/CAMELLIA_128/, 'CAMELLIA', 128],
  [/CAMELLIA_256/, 'CAMELLIA', 256],
  [/ARIA_128/, 'ARIA', 128],
  [/ARIA_256/, 'ARIA', 256],
  [/SEED/, 'SEED', 128],
  [/CHACHA20/, 'CHACHA20', 256],
  [/SM4/, 'SM4', 128],
  [/KUZNYECHIK/, 'KUZNYECHIK', 256],
  [/MAGMA/, 'MAGMA', 256],
  [/28147/, 'GOST28147', 256],
  // Suites that protect integrity only (RFC 9150).
  [/SHA(256|384)_SHA/, 'NULL', 0],
];

const EXCHANGES: readonly (readonly [pattern: RegExp, exchange: KeyExchange, authentication: Authentication])[] = [
  [/^RSA_PSK/, 'RSA', 'PSK'],
  [/^(DHE_PSK|PSK_DHE)/, 'DHE', 'PSK'],
  [/^ECDHE_PSK/, 'ECDHE', 'PSK'],
  [/^PSK/, 'PSK', 'PSK'],
  [/^RSA/, 'RSA', 'RSA'],
  [/^DHE_RSA/, 'DHE', 'RSA'],
  [/^DHE_DSS/, 'DHE', 'DSS'],
  [/^DH_RSA/, 'DH', 'RSA'],
  [/^DH_DSS/, 'DH', 'DSS'],
  [/^DH_anon/, 'DHE', 'anonymous'],
  [/^ECDHE_RSA/, 'ECDHE', 'RSA'],
  [/^ECDHE_ECDSA/, 'ECDHE', 'ECDSA'],
  [/^ECDH_RSA/, 'ECDH', 'RSA'],
  [/^ECDH_ECDSA/, 'ECDH', 'ECDSA'],
  [/^ECDH_anon/, 'ECDHE', 'anonymous'],
  [/^SRP_SHA_RSA/, 'SRP', 'RSA'],
  [/^SRP_SHA_DSS/, 'SRP', 'DSS'],
  [/^SRP/, 'SRP', 'SRP'],
  [/^KRB5/, 'KRB5', 'KRB5'],
  [/^GOST/, 'GOST', 'GOST'],
  [/^ECCPWD/, 'ECCPWD', 'ECCPWD'],
];

const modeOf = (name: string, cipher: string): Mode => {
  if (cipher === 'NULL') return 'none';
  if (name.includes('POLY1305')) return 'POLY1305';
  const named = /_(GCM|CCM|CBC|MGM)/.exec(name)?.[1];
  return (named as Mode | undefined) ?? 'stream';
};

/** Returns the protocols that support a suite. AEAD and the newer hashes require TLS 1.2 (RFC 5246, RFC 5288). */
const protocolsOf = (id: number, name: string, mode: Mode): Pick<Suite, 'first' | 'last'> => {
  if (id > 0xffff) return { first: SSL_2, last: SSL_2 };
  if (!name.includes('_WITH_')) return { first: TLS_1_3, last: TLS_1_3 };
  // RFC 9367
  if (mode === 'MGM') return { first: TLS_1_3, last: TLS_1_3 };
  const aead = ['GCM', 'CCM', 'POLY1305'].includes(mode);
  const newHash = /SHA(256|384)|KUZNYECHIK|MAGMA/.test(name);
  // Suites with a pre-shared key and a newer hash work with older protocols too (RFC 5487, 3).
  const newer = aead || (newHash && !name.includes('PSK'));
  return { first: newer ? TLS_1_2 : SSL_3, last: TLS_1_2 };
};

const suiteOf = (id: number, name: string): Suite => {
  const [, before = '', after = ''] = /^(?:TLS|SSL)_(?:(.*?)_WITH_)?(.*)$/.exec(name) ?? [];
  const old = id > 0xffff;
  const encrypting = old ? before : after;
  const [, cipher = 'unknown', bits = 0] = CIPHERS.find(([pattern]) => pattern.test(encrypting)) ?? [];
  const [, exchange, authentication] = old
    ? ([null, 'RSA', 'RSA'] as const)
    : (EXCHANGES.find(([pattern]) => pattern.test(before)) ?? ([null, 'any', 'any'] as const));
  const weakened = /EXPORT/.test(before);
  const mode = modeOf(encrypting, cipher);
  return {
    id,
    name,
    exchange,
    authentication,
    cipher,
    bits,
    mode,
    export: weakened,
    forwardSecrecy: ['DHE', 'ECDHE', 'any', 'ECCPWD'].includes(exchange) && !weakened,
    ...protocolsOf(id, name, mode),
  };
};

/** All cipher suites by number. */
export const SUITES: ReadonlyMap<number, Suite> = new Map(
  [...SUITE_NAMES].map(([id, name]) => [id, suiteOf(id, name)]),
);

/** Returns the properties of a suite. An unregistered suite has its number as name: `0x7f01`. */
export const suite = (id: number): Suite =>
  SUITES.get(id) ?? {
    id,
    name: `0x${id.toString(16).padStart(id > 0xffff ? 6 : 4, '0')}`,
    exchange: 'any',
    authentication: 'any',
    cipher: 'unknown',
    bits: 0,
    mode: 'none',
    export: false,
    forwardSecrecy: false,
    first: id > 0xffff ? SSL_2 : SSL_3,
    last: id > 0xffff ? SSL_2 : TLS_1_3,
  };

/** Signals support of RFC 5746 in hellos that can't contain the extension for it. */
export const EMPTY_RENEGOTIATION_INFO_SCSV = 0x00ff;
/** Signals that the client supports a newer protocol than the offered one (RFC 7507). */
export const FALLBACK_SCSV = 0x5600;
