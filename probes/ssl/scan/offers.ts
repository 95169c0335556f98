import { createECDH, randomBytes } from 'node:crypto';
import type { Offer } from '../wire/client-hello.ts';
import { PROTOCOLS, type ProtocolName } from '../wire/protocols.ts';
import { EMPTY_RENEGOTIATION_INFO_SCSV, SUITES, type Suite } from '../wire/suites.ts';

/**
 * The form of a hello. Most servers understand every form. Some fail if there are many suites, if there are extensions,
 * or if they don't know the name in SNI. Some servers with TLS 1.3 require a key share before they choose a suite.
 * - `full`: all suites together, with the usual extensions
 * - `short`: few suites
 * - `nameless`: few suites, without SNI
 * - `bare`: few suites, without extensions
 * - `keyed`: with key shares for the groups that every server supports
 */
export type HelloForm = 'full' | 'short' | 'nameless' | 'bare' | 'keyed';

const FORMS_OF_TLS: readonly HelloForm[] = ['full', 'short', 'nameless', 'bare'];

/** The forms for each protocol, in the order in which they are tried. */
export const FORMS: Readonly<Record<ProtocolName, readonly HelloForm[]>> = {
  ssl_2_0: ['full'],
  ssl_3_0: ['full', 'short'],
  tls_1_0: FORMS_OF_TLS,
  tls_1_1: FORMS_OF_TLS,
  tls_1_2: FORMS_OF_TLS,
  tls_1_3: ['full', 'keyed', 'nameless'],
};

/** Maximum number of suites in a hello, unless its form is `full` or `keyed`. */
const FEW = 50;

const COMMON_CIPHERS: ReadonlySet<string> = new Set(['AES', 'CHACHA20', '3DES', 'RC4']);

const isCommon = ({ exchange, authentication, cipher, mode, export: weakened }: Suite): boolean =>
  ['RSA', 'DHE', 'ECDHE', 'any'].includes(exchange) &&
  ['RSA', 'ECDSA', 'any'].includes(authentication) &&
  COMMON_CIPHERS.has(cipher) &&
  mode !== 'CCM' &&
  !weakened;

/**
 * Returns the position of a suite in offers. Common, strong suites come first: some servers read only the first ones.
 */
const rank = (suite: Suite): number =>
  (isCommon(suite) ? 0 : 1_000) +
  (suite.forwardSecrecy ? 0 : 100) +
  (['GCM', 'CCM', 'POLY1305'].includes(suite.mode) ? 0 : 50) +
  (suite.exchange === 'DHE' ? 10 : 0) +
  (suite.bits >= 128 ? 0 : 5);

/** Returns all suites of a protocol, in the order in which they are offered. */
export const candidates = (protocol: ProtocolName): number[] => {
  const version = PROTOCOLS[protocol];
  return [...SUITES.values()]
    .filter(({ first, last }) => first <= version && version <= last)
    .sort((one, other) => rank(one) - rank(other))
    .map(({ id }) => id);
};

/** Splits suites into parts that fit into a hello of this form. */
export const partsOf = (suites: readonly number[], form: HelloForm): number[][] => {
  if (form === 'full' || form === 'keyed') return [[...suites]];
  return Array.from({ length: Math.ceil(suites.length / FEW) }, (_, index) =>
    suites.slice(index * FEW, (index + 1) * FEW),
  );
};

/**
 * Creates key shares for x25519 (any 32 bytes are valid) and for P-256. The private keys are not needed, because the
 * handshake is not completed.
 */
const keyShares = (): [number, Buffer][] => [
  [29, randomBytes(32)],
  [23, createECDH('prime256v1').generateKeys()],
];

/** Creates an offer of suites in the given form. */
export const offerIn = (
  form: HelloForm,
  protocol: ProtocolName,
  suites: readonly number[],
  serverName: string | null,
): Offer => {
  const version = PROTOCOLS[protocol];
  const named = form === 'nameless' ? null : serverName;
  // Some servers require support of RFC 5746. Without extensions, a special suite number signals this support.
  if (form === 'bare' || version <= PROTOCOLS.ssl_3_0)
    return { version, suites: [...suites, EMPTY_RENEGOTIATION_INFO_SCSV], serverName: null, extensions: [] };
  return { version, suites, serverName: named, ...(form === 'keyed' && { keyShares: keyShares() }) };
};
