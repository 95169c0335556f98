import { randomBytes } from 'node:crypto';
import { uint, uint16s, vector } from './bytes.ts';
import { GROUPS_OF_TLS_1_3, USUAL_GROUPS } from './groups.ts';
import { PROTOCOLS } from './protocols.ts';
import { record, RECORDS } from './records.ts';

/** An extension of a hello: its number (IANA "TLS ExtensionType Values") and its content. */
export type Extension = readonly [type: number, data: Buffer];

export const EXTENSIONS = {
  serverName: 0,
  supportedGroups: 10,
  ecPointFormats: 11,
  signatureAlgorithms: 13,
  heartbeat: 15,
  alpn: 16,
  extendedMasterSecret: 23,
  sessionTicket: 35,
  supportedVersions: 43,
  keyShare: 51,
  renegotiationInfo: 0xff01,
} as const;

/** What a client offers a server. */
export interface Offer {
  /** the newest protocol, as on the wire (`PROTOCOLS`); if it is TLS 1.3, older ones are not offered */
  version: number;
  /** numbers of cipher suites in the order of preference, including signalling values */
  suites: readonly number[];
  /** the name to send as SNI; null for none, because an address must not be sent */
  serverName: string | null;
  /** (EC)DH groups in the order of preference; default: the usual groups */
  groups?: readonly number[];
  /** key shares of TLS 1.3; default: none, so that the server names a group instead of computing a key */
  keyShares?: readonly (readonly [group: number, key: Buffer])[];
  alpn?: readonly string[];
  /** compression methods; default: only "none" */
  compression?: readonly number[];
  sessionId?: Buffer;
  /** extensions instead of the usual ones; empty for no extensions */
  extensions?: readonly Extension[];
  /** extensions in addition to the usual ones */
  more?: readonly Extension[];
}

/**
 * The offered signature algorithms, strong ones first: RSA with PKCS #1 and PSS, ECDSA, EdDSA, DSA and others (IANA
 * "TLS SignatureScheme", RFC 5246, 7.4.1.4.1).
 */
const SIGNATURES: readonly number[] = [
  ...[0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x0809, 0x080a, 0x080b, 0x0804, 0x0805, 0x0806],
  ...[0x0401, 0x0501, 0x0601, 0x0303, 0x0301, 0x0302, 0x0402, 0x0502, 0x0602, 0x0203, 0x0201, 0x0202, 0x0101],
  ...[0x081a, 0x081b, 0x081c, 0x0708, 0x0709, 0x070a, 0x070b, 0x070c, 0x070d, 0x070e, 0x070f, 0xeded, 0xefef, 0xeeee],
];

/** Creates the SNI extension with the name of a server (RFC 6066, 3). */
const serverNameExtension = (name: string): Extension => [
  EXTENSIONS.serverName,
  vector(2, uint(1, 0), vector(2, Buffer.from(name, 'latin1'))),
];

const usualExtensions = (offer: Offer): Extension[] => {
  const { version, serverName, keyShares = [], alpn = [] } = offer;
  const newest = version === PROTOCOLS.tls_1_3;
  const groups = offer.groups ?? (newest ? GROUPS_OF_TLS_1_3 : USUAL_GROUPS);
  const named: Extension[] = serverName === null ? [] : [serverNameExtension(serverName)];
  const common: Extension[] = [
    ...named,
    [EXTENSIONS.supportedGroups, vector(2, uint16s(groups))],
    [EXTENSIONS.signatureAlgorithms, vector(2, uint16s(SIGNATURES))],
  ];
  if (alpn.length > 0)
    common.push([EXTENSIONS.alpn, vector(2, ...alpn.map((name) => vector(1, Buffer.from(name, 'latin1'))))]);
  if (newest)
    return [
      ...common,
      [EXTENSIONS.supportedVersions, vector(1, uint16s([version]))],
      [EXTENSIONS.keyShare, vector(2, ...keyShares.flatMap(([id, key]) => [uint(2, id), vector(2, key)]))],
    ];
  return [
    ...common,
    [EXTENSIONS.ecPointFormats, vector(1, Buffer.from([0, 1, 2]))],
    [EXTENSIONS.extendedMasterSecret, Buffer.alloc(0)],
    [EXTENSIONS.renegotiationInfo, vector(1, Buffer.alloc(0))],
  ];
};

/** Returns the extensions of an offer. By default, SSL 3.0 has none. */
const extensionsOf = (offer: Offer): readonly Extension[] => {
  const usual = offer.extensions ?? (offer.version <= PROTOCOLS.ssl_3_0 ? [] : usualExtensions(offer));
  return [...usual, ...(offer.more ?? [])];
};

/** Creates the ClientHello message (RFC 5246, 7.4.1.2; RFC 8446, 4.1.2), with its header. */
const clientHello = (offer: Offer): Buffer => {
  const { version, suites, compression = [0] } = offer;
  const sessionId = offer.sessionId ?? (version === PROTOCOLS.tls_1_3 ? randomBytes(32) : Buffer.alloc(0));
  const extensions = extensionsOf(offer).map(([type, data]) => Buffer.concat([uint(2, type), vector(2, data)]));
  return Buffer.concat([
    uint(1, 1),
    vector(
      3,
      uint(2, Math.min(version, PROTOCOLS.tls_1_2)),
      randomBytes(32),
      vector(1, sessionId),
      vector(2, uint16s(suites)),
      vector(1, Buffer.from(compression)),
      ...(extensions.length > 0 ? [vector(2, ...extensions)] : []),
    ),
  ]);
};

/** Creates the ClientHello as a record. The record version is at most TLS 1.0, as in RFC 8446, 5.1. */
export const clientHelloRecord = (offer: Offer): Buffer =>
  record(RECORDS.handshake, Math.min(offer.version, PROTOCOLS.tls_1_0), clientHello(offer));
