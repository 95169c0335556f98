import type { Socket } from 'node:net';

/* Records and handshake messages, as the servers of these tests read and write them (RFC 5246). */

export const ALERT = 21;
export const CHANGE_CIPHER_SPEC = 20;
export const HANDSHAKE = 22;
export const HEARTBEAT = 24;

export interface TlsRecord {
  type: number;
  fragment: Buffer;
}

export const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u24 = (value: number): Buffer => Buffer.from([value >> 16, (value >> 8) & 255, value & 255]);
const after8 = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);
const after16 = (bytes: Buffer): Buffer => Buffer.concat([u16(bytes.length), bytes]);
const after24 = (bytes: Buffer): Buffer => Buffer.concat([u24(bytes.length), bytes]);

export const recordOf = (type: number, version: number, fragment: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type]), u16(version), after16(fragment)]);

export const messageOf = (type: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([type]), after24(body)]);

/** Yields the records of a client until it disconnects or sends something else, such as SSL 2.0. */
export async function* recordsFrom(socket: Socket): AsyncGenerator<TlsRecord> {
  let waiting: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      waiting = Buffer.concat([waiting, chunk as Buffer]);
      if ((waiting[0] ?? HANDSHAKE) < CHANGE_CIPHER_SPEC || (waiting[0] ?? HANDSHAKE) > HEARTBEAT) return;
      while (waiting.length >= 5 && waiting.length >= 5 + waiting.readUInt16BE(3)) {
        const length = waiting.readUInt16BE(3);
        yield { type: waiting.readUInt8(0), fragment: waiting.subarray(5, 5 + length) };
        waiting = waiting.subarray(5 + length);
      }
    }
  } catch {
    // The client has disconnected.
  }
}

export interface ClientHello {
  version: number;
  random: Buffer;
  sessionId: Buffer;
  suites: readonly number[];
  compressions: readonly number[];
  extensions: ReadonlyMap<number, Buffer>;
}

/** Parses a ClientHello message, including its header. */
export const clientHelloIn = (message: Buffer): ClientHello => {
  let at = 4 + 2 + 32;
  const take = (lengthBytes: 1 | 2): Buffer => {
    const from = at + lengthBytes;
    at = from + message.readUIntBE(at, lengthBytes);
    return message.subarray(from, at);
  };
  const sessionId = take(1);
  const suites = take(2);
  const compressions = take(1);
  const extensions = new Map<number, Buffer>();
  if (at < message.length) {
    at += 2;
    while (at < message.length) {
      const type = message.readUInt16BE(at);
      at += 2;
      extensions.set(type, take(2));
    }
  }
  return {
    version: message.readUInt16BE(4),
    random: message.subarray(6, 38),
    sessionId,
    suites: Array.from({ length: suites.length / 2 }, (_, index) => suites.readUInt16BE(2 * index)),
    compressions: [...compressions],
    extensions,
  };
};

export interface ServerHello {
  version: number;
  random: Buffer;
  sessionId: Buffer;
  suite: number;
  compression: number;
  extensions: readonly (readonly [number, Buffer])[];
}

export const serverHelloOf = (hello: ServerHello): Buffer =>
  messageOf(
    2,
    Buffer.concat([
      u16(hello.version),
      hello.random,
      after8(hello.sessionId),
      u16(hello.suite),
      Buffer.from([hello.compression]),
      ...(hello.extensions.length === 0
        ? []
        : [after16(Buffer.concat(hello.extensions.flatMap(([type, data]) => [u16(type), after16(data)])))]),
    ]),
  );

/** @param chain in DER */
export const certificateOf = (chain: readonly Buffer[]): Buffer =>
  messageOf(11, after24(Buffer.concat(chain.map(after24))));

export const SERVER_HELLO_DONE = messageOf(14, Buffer.alloc(0));
