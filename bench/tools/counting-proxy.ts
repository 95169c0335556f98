import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that counts the requests of clients to a server. */
export interface CountingProxy {
  port: number;
  /** returns the number of requests since the proxy was opened */
  count: () => number;
  close: () => void;
}

/** Receives bytes as they arrive, and returns the number of requests that begin in them. */
type Counter = (chunk: Buffer) => number;

/**
 * Creates a counter for a protocol whose messages begin with a header of `head` bytes. From the header of a message,
 * `sizeOf` returns the size of the message, and `counts` returns whether the message begins a request.
 */
const messages = (
  head: number,
  sizeOf: (bytes: Buffer) => number,
  counts: (bytes: Buffer) => boolean,
  preface = 0,
): Counter => {
  let skip = preface;
  let begun = Buffer.alloc(0);
  return (chunk) => {
    let count = 0;
    for (let rest = chunk; rest.length > 0;) {
      const skipped = Math.min(skip, rest.length);
      skip -= skipped;
      rest = rest.subarray(skipped);
      const taken = Math.min(head - begun.length, rest.length);
      begun = Buffer.concat([begun, rest.subarray(0, taken)]);
      rest = rest.subarray(taken);
      if (begun.length < head) continue;
      if (counts(begun)) count += 1;
      skip = sizeOf(begun) - head;
      begun = Buffer.alloc(0);
    }
    return count;
  };
};

/** Creates a counter for MongoDB's wire protocol, in which every message of a client is a command. */
export const createCommandCounter = (): Counter =>
  messages(
    4,
    (bytes) => bytes.readInt32LE(0),
    () => true,
  );

const FRAME_HEAD = 9;
const HEADERS = 1;
/** Length of the connection preface, which begins with `PRI * HTTP/2.0` (RFC 9113, section 3.4). */
const PREFACE = 24;

/** Creates a counter for gRPC over HTTP/2 (RFC 9113, section 4.1), in which every call begins with a HEADERS frame. */
export const createCallCounter = (): Counter =>
  messages(
    FRAME_HEAD,
    (bytes) => FRAME_HEAD + bytes.readUIntBE(0, 3),
    (bytes) => bytes[3] === HEADERS,
    PREFACE,
  );

/**
 * Opens a proxy to a port.
 *
 * @param counter creates the counter of one connection
 */
export const countRequests = async (port: number, counter: () => Counter): Promise<CountingProxy> => {
  let count = 0;
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect({ host: '127.0.0.1', port });
    const counts = counter();
    client.on('data', (chunk) => {
      count += counts(chunk);
    });
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.setNoDelay();
      // An error occurs, for example, when a process is killed. It needs no handling, because `close` follows.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      for (const socket of open) socket.destroy();
      listener.close();
    },
  };
};
