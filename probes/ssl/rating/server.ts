import { PROTOCOL_NAMES, type ProtocolName } from '../wire/protocols.ts';
import type { VulnerabilityFindings, VulnerabilityName } from '../vulnerabilities/finding.ts';
import type { Suite } from '../wire/suites.ts';

/** A server's support of one protocol. */
export interface RatedProtocol {
  supported: boolean;
  /** the accepted suites, in the server's order if it has one; empty if the protocol is not supported */
  suites: readonly Suite[];
  /** whether the server chooses by its own order; null with fewer than two suites */
  server_preference: boolean | null;
}

/** The smallest parameters that the server used in ephemeral key exchanges; null if it used none. */
export interface RatedEphemeralKeys {
  /** size of the prime, in bits */
  dh: number | null;
  /** `secp256r1`, `x25519` */
  ecdh: { group: string; bits: number } | null;
}

/** The facts about the server's certificate that the rating uses. */
export interface RatedCertificate {
  /** whether the certificate is within its validity period */
  in_time: boolean;
  matches_host: boolean;
  /** whether a certificate path leads to a trusted root, or to a certificate that the check names */
  trusted: boolean;
  /** null if unknown */
  revoked: boolean | null;
  /** whether the server sent every certificate of the certificate path except the root */
  chain_complete: boolean;
  /** `RSA`, `EC`, `Ed25519`, … */
  key_type: string;
  /** null if unknown */
  key_bits: number | null;
  /** algorithms of the certificate path without its root: `sha256WithRSAEncryption`, `ecdsa-with-SHA256`, … */
  signature_algorithms: readonly string[];
}

/** The results of a complete scan. */
export interface RatedServer {
  /** null if the server sent no readable certificate */
  certificate: RatedCertificate | null;
  protocols: Readonly<Record<ProtocolName, RatedProtocol>>;
  ephemeral: RatedEphemeralKeys;
  /** results of the vulnerability tests; a vulnerability without a result does not affect the rating */
  vulnerabilities: Readonly<Partial<VulnerabilityFindings>>;
}

/** Vulnerabilities that make a check fail, whatever its assertions. */
export const CRITICAL: ReadonlySet<VulnerabilityName> = new Set([
  'heartbleed',
  'ccs_injection',
  'robot',
  'ticketbleed',
]);

/** Returns whether a suite does not authenticate the server. */
export const isAnonymous = ({ authentication }: Suite): boolean => authentication === 'anonymous';

/** Returns whether a suite encrypts and authenticates in one step (RFC 5116). */
export const isAead = ({ mode }: Suite): boolean => ['GCM', 'CCM', 'POLY1305', 'MGM'].includes(mode);

/** Ciphers with 64-bit blocks. They are unsafe when one key encrypts many gigabytes (Sweet32). */
export const SMALL_BLOCKS: ReadonlySet<string> = new Set(['3DES', 'DES', 'RC2', 'IDEA', 'GOST28147', 'MAGMA']);

/**
 * Returns the suites that a server accepts. A suite that is accepted in several protocols appears several times. Omits
 * suites whose properties are unknown.
 */
export const suitesOf = ({ protocols }: Pick<RatedServer, 'protocols'>): Suite[] =>
  PROTOCOL_NAMES.flatMap((name) => protocols[name].suites).filter(({ cipher }) => cipher !== 'unknown');
