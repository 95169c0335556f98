import { EXTENSIONS } from './client-hello.ts';
import { MalformedTlsMessage, readerOf } from './bytes.ts';

/** A server's choice. */
export interface ServerHello {
  /** the protocol as on the wire; for TLS 1.3, from an extension */
  version: number;
  suite: number;
  /** compression method; 0 for none */
  compression: number;
  sessionId: Buffer;
  random: Buffer;
  extensions: ReadonlyMap<number, Buffer>;
  /** whether the server requests another hello (HelloRetryRequest); `suite` is final even then */
  retry: boolean;
  /** the group that the server chose or requested in TLS 1.3; null if there is none */
  group: number | null;
}

/** The random value of a HelloRetryRequest: the SHA-256 digest of `HelloRetryRequest` (RFC 8446, 4.1.3). */
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');

/** Parses the extensions of a hello. @throws MalformedTlsMessage */
const readExtensions = (bytes: Buffer): Map<number, Buffer> => {
  const extensions = new Map<number, Buffer>();
  const reader = readerOf(bytes);
  while (reader.left > 0) extensions.set(reader.number(2), reader.vector(2));
  return extensions;
};

const two = (bytes: Buffer | undefined): number | null => (bytes && bytes.length >= 2 ? bytes.readUInt16BE(0) : null);

/** Parses a ServerHello. @param body the message without its header @throws MalformedTlsMessage */
export const readServerHello = (body: Buffer): ServerHello => {
  const reader = readerOf(body);
  const legacy = reader.number(2);
  if (legacy >> 8 !== 3) throw new MalformedTlsMessage(`version ${legacy.toString(16)}`);
  const random = reader.bytes(32);
  const sessionId = reader.vector(1);
  const suite = reader.number(2);
  const compression = reader.number(1);
  const extensions = reader.left > 0 ? readExtensions(reader.vector(2)) : new Map<number, Buffer>();
  return {
    version: two(extensions.get(EXTENSIONS.supportedVersions)) ?? legacy,
    suite,
    compression,
    sessionId,
    random,
    extensions,
    retry: random.equals(RETRY),
    group: two(extensions.get(EXTENSIONS.keyShare)),
  };
};
