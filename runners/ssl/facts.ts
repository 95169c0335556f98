/** The protocols that are looked for, from the oldest, by their names in `protocol_support`. */
export const PROTOCOL_NAMES = ['ssl_2_0', 'ssl_3_0', 'tls_1_0', 'tls_1_1', 'tls_1_2', 'tls_1_3'] as const;
export type ProtocolName = (typeof PROTOCOL_NAMES)[number];

/** `TLS 1.2`, for sentences. */
export const titleOf = (name: ProtocolName): string => name.replace(/_(\d)_(\d)$/, ' $1.$2').toUpperCase();

/** What the rating looks at in a suite. */
export interface SuiteFacts {
  /** the IANA name: `TLS_RSA_WITH_AES_128_CBC_SHA` */
  name: string;
  /** `RSA`, `DH`, `DHE`, `ECDHE`, … */
  exchange: string;
  /** `RSA`, `ECDSA`, `anonymous`, … */
  authentication: string;
  /** `AES`, `RC4`, `DES`, `3DES`, `NULL`, …; `unknown` where nobody has registered the suite */
  cipher: string;
  /** effective strength of the cipher: 0 for NULL, 112 for 3DES */
  bits: number;
  /** `GCM`, `CCM`, `POLY1305`, `CBC`, `stream`, … */
  mode: string;
  /** weakened for export */
  export: boolean;
  /** old recordings stay secret when the server's key is stolen */
  forwardSecrecy: boolean;
}

/** What a server does with one protocol. */
export interface ProtocolFacts {
  supported: boolean;
  /** in the server's order where it has one; none if the protocol is not supported */
  suites: readonly SuiteFacts[];
  /** whether the server chooses by its own order; null with fewer than two suites */
  server_preference: boolean | null;
}

/** The smallest parameters that the server used in ephemeral key exchanges; null where it used none. */
export interface EphemeralFacts {
  /** size of the prime, bits */
  dh: number | null;
  /** `secp256r1`, `x25519` */
  ecdh: { group: string; bits: number } | null;
}

/** What the rating looks at in the server's certificate. */
export interface CertificateFacts {
  /** between its dates */
  in_time: boolean;
  matches_host: boolean;
  /** a path leads to a trusted root, or to the check's own certificates */
  trusted: boolean;
  /** null: unknown */
  revoked: boolean | null;
  /** the server sent every certificate of the path but the root */
  chain_complete: boolean;
  /** `RSA`, `EC`, `Ed25519`, … */
  key_type: string;
  /** null: unknown */
  key_bits: number | null;
  /** of the path without its root: `sha256WithRSAEncryption`, `ecdsa-with-SHA256`, … */
  signature_algorithms: readonly string[];
}

/** The result of one test for a vulnerability. */
export interface VulnerabilityFacts {
  vulnerable: boolean;
  /** false: it could not be tested, for the reason in `details` */
  tested: boolean;
  /** a sentence for people */
  details: string;
  /** which of several findings it is, where a test knows more than one */
  finding?: string;
}

/** What a scan has found out, when nothing of it is missing. */
export interface ScanFacts {
  /** null: the server showed none that can be read */
  certificate: CertificateFacts | null;
  protocols: Readonly<Record<ProtocolName, ProtocolFacts>>;
  ephemeral: EphemeralFacts;
  /** by name: `heartbleed`; one that is absent is not rated */
  vulnerabilities: Readonly<Record<string, VulnerabilityFacts>>;
}

/** Vulnerabilities by which a check fails whatever else is asked of it. */
export const CRITICAL: ReadonlySet<string> = new Set(['heartbleed', 'ccs_injection', 'robot', 'ticketbleed']);

/** Whether a suite authenticates nobody. */
export const isAnonymous = ({ authentication }: SuiteFacts): boolean => authentication === 'anonymous';

/** Whether a suite encrypts and authenticates in one step (RFC 5116). */
export const isAead = ({ mode }: SuiteFacts): boolean => ['GCM', 'CCM', 'POLY1305', 'MGM'].includes(mode);

/** Ciphers with blocks of 64 bits, which many gigabytes under one key give away (Sweet32). */
export const SMALL_BLOCKS: ReadonlySet<string> = new Set(['3DES', 'DES', 'RC2', 'IDEA', 'GOST28147', 'MAGMA']);

/** Every suite that a server accepts, as often as it does; without those whose properties nobody knows. */
export const suitesOf = ({ protocols }: Pick<ScanFacts, 'protocols'>): SuiteFacts[] =>
  PROTOCOL_NAMES.flatMap((name) => protocols[name].suites).filter(({ cipher }) => cipher !== 'unknown');
