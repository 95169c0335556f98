import { SUITE_NAMES } from './suite-names.ts';

/** The key exchange. `any`: TLS 1.3, where the group decides. */
export type KeyExchange = 'RSA' | 'DH' | 'DHE' | 'ECDH' | 'ECDHE' | 'PSK' | 'SRP' | 'KRB5' | 'GOST' | 'ECCPWD' | 'any';

/** The authentication of the server. */
export type Authentication = 'RSA' | 'DSS' | 'ECDSA' | 'anonymous' | 'PSK' | 'SRP' | 'KRB5' | 'GOST' | 'ECCPWD' | 'any';

export type Mode = 'GCM' | 'CCM' | 'POLY1305' | 'CBC' | 'stream' | 'MGM' | 'none';

/** The properties of a cipher suite, from its name. */
export interface Suite {
  /** two bytes, or three in SSL 2.0 */
  id: number;
  /** the IANA name: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` */
  name: string;
  exchange: KeyExchange;
  authentication: Authentication;
  /** `AES`, `3DES`, `RC4`, `NULL`, … */
  cipher: string;
  /** effective strength of the cipher: 112 for 3DES, 40 or 56 for export suites, 0 without encryption */
  bits: number;
  mode: Mode;
  /** weakened for the export rules of the 1990s */
  export: boolean;
  /** recorded connections stay secret if the server's key is stolen later */
  forwardSecrecy: boolean;
  /** the protocols that support it: from `first` to `last`, as on the wire */
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
  // RFC 9150: integrity only.
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

/** The protocols that support a suite. AEAD and the newer hashes require TLS 1.2 (RFC 5246, RFC 5288). */
const protocolsOf = (id: number, name: string, mode: Mode): Pick<Suite, 'first' | 'last'> => {
  if (id > 0xffff) return { first: SSL_2, last: SSL_2 };
  if (!name.includes('_WITH_')) return { first: TLS_1_3, last: TLS_1_3 };
  // RFC 9367
  if (mode === 'MGM') return { first: TLS_1_3, last: TLS_1_3 };
  const aead = ['GCM', 'CCM', 'POLY1305'].includes(mode);
  const newHash = /SHA(256|384)|KUZNYECHIK|MAGMA/.test(name);
  // RFC 5487, 3: suites with a pre-shared key work with older protocols too.
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

/** A suite's properties; the name of an unregistered one is its number: `0x7f01`. */
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

/** RFC 5746: replaces the extension in hellos without extensions. */
export const EMPTY_RENEGOTIATION_INFO_SCSV = 0x00ff;
/** RFC 7507: the client supports a newer protocol. */
export const FALLBACK_SCSV = 0x5600;
