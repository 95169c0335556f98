import type { ProtocolName } from '../wire/protocols.ts';
import type { HelloForm } from './offers.ts';

/** The server's part of a key exchange with one suite. */
export interface KeyFacts {
  suite: number;
  /** `dh` for a finite field, `ecdh` for a curve, `rsa` for a short key of an export suite */
  kind: 'dh' | 'ecdh' | 'rsa';
  bits: number;
  /** name of the curve or TLS 1.3 group: `x25519`; null if there is none */
  group: string | null;
}

/**
 * How a server refused a protocol: with an alert of this name, with another protocol (`other`), with something other
 * than TLS (`garbage`), by ending the connection (`closed`, `reset`), or by not responding (`silent`).
 */
export type Refusal =
  | { kind: 'alert'; name: string }
  | { kind: 'garbage'; said: string }
  | { kind: 'other' | 'closed' | 'reset' | 'silent' };

/** A server's support of one protocol. */
export interface ProtocolFacts {
  supported: boolean;
  /**
   * false if time was up or the server stopped responding before everything was known. The facts so far are
   * included; `supported` is false if nothing is known.
   */
  complete: boolean;
  /** the form of hello that the server understands (offers.ts) */
  form: HelloForm;
  /** numbers of cipher suites (../wire/suites.ts), in the server's order if it has one */
  suites: readonly number[];
  /** whether the server chooses by its own order; null with fewer than two suites, or if unknown */
  serverPreference: boolean | null;
  /** the parameters of key exchanges, at most one per suite, if the server sent them */
  keys: readonly KeyFacts[];
  /** null if the protocol is supported, or nothing is known */
  refusal: Refusal | null;
}

/** A group of finite-field Diffie-Hellman that the server uses. */
export interface DhGroup {
  bits: number;
  /** hexadecimal */
  prime: string;
  generator: string;
}

/** The results of a scan: a server's protocols and cipher suites. They are plain JSON, so that they can be cached. */
export interface ScanFacts {
  protocols: Readonly<Record<ProtocolName, ProtocolFacts>>;
  /** groups of all protocols, deduplicated */
  dhGroups: readonly DhGroup[];
  /** certificate chains of handshakes up to TLS 1.2, deduplicated: DER in base64, the server's own certificate first */
  chains: readonly (readonly string[])[];
  /** whether all protocols are complete */
  complete: boolean;
}
