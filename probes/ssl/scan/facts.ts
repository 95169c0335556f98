import type { ProtocolName } from '../wire/protocols.ts';
import type { HelloForm } from './offers.ts';

/** The server's part of a key exchange with one suite. */
export interface KeyFacts {
  suite: number;
  /** `dh`: a finite field; `ecdh`: a curve; `rsa`: a short key of an export suite */
  kind: 'dh' | 'ecdh' | 'rsa';
  bits: number;
  /** of a curve or of a group of TLS 1.3: `x25519`; null if it has none */
  group: string | null;
}

/**
 * Why a protocol is not spoken: the server refused it with an alert of this name, answered with another protocol
 * (`other`) or with something other than TLS (`garbage`), ended the connection, or did not answer.
 */
export type Refusal =
  | { kind: 'alert'; name: string }
  | { kind: 'garbage'; said: string }
  | { kind: 'other' | 'closed' | 'reset' | 'silent' };

/** What a server does with one protocol. */
export interface ProtocolFacts {
  supported: boolean;
  /**
   * false: time was up, or the server stopped answering, before all was known; what is here was seen nevertheless. If
   * nothing was seen, `supported` is also false.
   */
  complete: boolean;
  /** which form of hello the server understands (offers.ts) */
  form: HelloForm;
  /** numbers of cipher suites (wire/suites.ts); in the server's order where it has one, else in the order found */
  suites: readonly number[];
  /** whether the server's own order decides; null with fewer than two suites, or if unknown */
  serverPreference: boolean | null;
  /** one for each suite whose key exchange has parameters, as far as the server showed them */
  keys: readonly KeyFacts[];
  /** null if it is supported, or not known */
  refusal: Refusal | null;
}

/** A group of finite-field Diffie-Hellman that the server uses. */
export interface DhGroup {
  bits: number;
  /** hexadecimal */
  prime: string;
  generator: string;
}

/** What a scan found out about a server's protocols and cipher suites. JSON, so it can be stored. */
export interface ScanFacts {
  protocols: Readonly<Record<ProtocolName, ProtocolFacts>>;
  /** of all protocols, each once */
  dhGroups: readonly DhGroup[];
  /** certificate chains of handshakes up to TLS 1.2, each once: DER in base64, the server's own certificate first */
  chains: readonly (readonly string[])[];
  /** everything is complete */
  complete: boolean;
}
