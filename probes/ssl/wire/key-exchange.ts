import { readerOf } from './bytes.ts';
import { group } from './groups.ts';
import type { Suite } from './suites.ts';

/** The server's part of a key exchange, from a ServerKeyExchange message. */
export type ServerKey =
  | { kind: 'dh'; bits: number; prime: Buffer; generator: Buffer; key: Buffer }
  | { kind: 'ecdh'; group: number; name: string; bits: number; key: Buffer }
  /** a curve with explicit parameters (RFC 8422, 5.4 forbids it) */
  | { kind: 'curve'; bits: number }
  /** a short key for export suites */
  | { kind: 'rsa'; bits: number; modulus: Buffer };

/** Returns the size of a positive number in bits, without leading zeros. */
export const bitsOf = (number: Buffer): number => {
  const first = number.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (number.length - first) * 8 - (Math.clz32(number[first] ?? 0) - 24);
};

const readDh = (body: Buffer): ServerKey => {
  const reader = readerOf(body);
  const [prime, generator, key] = [reader.vector(2), reader.vector(2), reader.vector(2)];
  return { kind: 'dh', bits: bitsOf(prime), prime, generator, key };
};

const EXPLICIT_PRIME = 1;
const NAMED_CURVE = 3;

const readEcdh = (body: Buffer): ServerKey | null => {
  const reader = readerOf(body);
  const kind = reader.number(1);
  if (kind === EXPLICIT_PRIME) return { kind: 'curve', bits: bitsOf(reader.vector(1)) };
  // For curves over fields of characteristic 2, the degree of the field is the size.
  if (kind !== NAMED_CURVE) return { kind: 'curve', bits: reader.number(2) };
  const { id, name, bits } = group(reader.number(2));
  return { kind: 'ecdh', group: id, name, bits, key: reader.vector(1) };
};

/**
 * Parses a ServerKeyExchange message (RFC 5246, 7.4.3; RFC 8422, 5.4; with PSK, a hint comes first: RFC 4279). Returns
 * null for key exchanges without relevant parameters.
 *
 * @throws MalformedTlsMessage
 */
export const readServerKey = (body: Buffer, { exchange, authentication }: Suite): ServerKey | null => {
  const reader = readerOf(body);
  if (authentication === 'PSK') reader.vector(2);
  const rest = reader.rest();
  if (exchange === 'DHE') return readDh(rest);
  if (exchange === 'ECDHE') return readEcdh(rest);
  if (exchange !== 'RSA' || authentication !== 'RSA') return null;
  const modulus = readerOf(rest).vector(2);
  return { kind: 'rsa', bits: bitsOf(modulus), modulus };
};
