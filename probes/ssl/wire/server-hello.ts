import { EXTENSIONS } from './client-hello.ts';
import { MalformedTlsMessage, readerOf } from './bytes.ts';

/** A server's choice. */
export interface ServerHello {
  /** the protocol, as on the wire; for TLS 1.3 from the extension */
  version: number;
  suite: number;
  /** 0: none */
  compression: number;
  sessionId: Buffer;
  random: Buffer;
  extensions: ReadonlyMap<number, Buffer>;
  /** the server requests another hello (HelloRetryRequest); the suite is chosen nevertheless */
  retry: boolean;
  /** the group of TLS 1.3, chosen or requested */
  group: number | null;
}

/** The random of a HelloRetryRequest: SHA-256 of its name (RFC 8446, 4.1.3). */
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');

/** Parses blocks of type and content, as in hellos. @throws Malformed */
const readExtensions = (bytes: Buffer): Map<number, Buffer> => {
  const extensions = new Map<number, Buffer>();
  const reader = readerOf(bytes);
  while (reader.left > 0) extensions.set(reader.number(2), reader.vector(2));
  return extensions;
};

const two = (bytes: Buffer | undefined): number | null => (bytes && bytes.length >= 2 ? bytes.readUInt16BE(0) : null);

/** @param body of the message, without its header @throws Malformed */
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
