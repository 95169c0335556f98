import type { ProtocolName } from '../wire/protocols.ts';
import type { HelloForm } from './offers.ts';

/** The server's part of a key exchange with one suite. */
export interface KeyFacts {
  suite: number;
  /** `dh`: a finite field; `ecdh`: a curve; `rsa`: a short key of an export suite */
  kind: 'dh' | 'ecdh' | 'rsa';
  bits: number;
  /** name of a curve or a TLS 1.3 group: `x25519`; null if it has none */
  group: string | null;
}

/**
 * Why a protocol is not supported: the server refused it with an alert of this name, responded with another protocol
 * (`other`) or with something other than TLS (`garbage`), ended the connection, or did not respond.
 */
export type Refusal =
  | { kind: 'alert'; name: string }
  | { kind: 'garbage'; said: string }
  | { kind: 'other' | 'closed' | 'reset' | 'silent' };

/** A server's support of one protocol. */
export interface ProtocolFacts {
  supported: boolean;
  /**
   * false: time was up, or the server stopped responding, before everything was known; the facts so far are included.
   * If there are none, `supported` is also false.
   */
  complete: boolean;
  /** the form of hello that the server understands (offers.ts) */
  form: HelloForm;
  /** numbers of cipher suites (wire/suites.ts); in the server's order if it has one, otherwise in the order found */
  suites: readonly number[];
  /** whether the server's order decides; null with fewer than two suites, or if unknown */
  serverPreference: boolean | null;
  /** one per suite whose key exchange has parameters, as far as the server sent them */
  keys: readonly KeyFacts[];
  /** null if it is supported, or unknown */
  refusal: Refusal | null;
}

/** A group of finite-field Diffie-Hellman that the server uses. */
export interface DhGroup {
  bits: number;
  /** hexadecimal */
  prime: string;
  generator: string;
}

/** The results of a scan: a server's protocols and cipher suites. JSON, so it can be stored. */
export interface ScanFacts {
  protocols: Readonly<Record<ProtocolName, ProtocolFacts>>;
  /** groups of all protocols, deduplicated */
  dhGroups: readonly DhGroup[];
  /** certificate chains of handshakes up to TLS 1.2, deduplicated: DER in base64, the server's own certificate first */
  chains: readonly (readonly string[])[];
  /** whether all protocols are complete */
  complete: boolean;
}
