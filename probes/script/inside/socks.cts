/**
 * A SOCKS 5 proxy for the browser and for Playwright's requests. If a plain HTTP server is unreachable, an HTTP proxy
 * would respond with an error page. With SOCKS, the page fails to load, as without a proxy.
 */
const { createServer, Socket } = require('node:net') as typeof import('node:net');
const tls = require('node:tls') as typeof import('node:tls');
const { dial } = require('./tunnel.cjs') as import('./tunnel.cts').TunnelModule;

type Socket = import('node:net').Socket;
type ConnectionOptions = import('node:tls').ConnectionOptions;

/** The exports of `socks.cjs`. */
export interface SocksModule {
  /** Listens on a port of 127.0.0.1 until the process ends. @param forwarder port of the forwarder (forwarder.cts) */
  startSocks: (forwarder: number) => Promise<Socks>;
}

export interface Socks {
  port: number;
  /** Returns the proxy's sentence about a target to which connecting failed; undefined if it did not fail. */
  reason: (host: string, port: number) => string | undefined;
}

const VERSION = 5;
const CONNECT = 1;
const WITHOUT_PASSWORD = Buffer.from([VERSION, 0]);
const answer = (code: number): Buffer => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
/** Reply codes (RFC 1928, 6). */
const [GRANTED, FAILED, NOT_ALLOWED, REFUSED, NOT_UNDERSTOOD] = [0, 1, 2, 5, 7];

const BACKLOG = 511;
/** Maximum number of stored reasons. */
const MOST = 500;

const startSocks: SocksModule['startSocks'] = (forwarder) =>
  new Promise((resolve, reject) => {
    const reasons = new Map<string, string>();
    const hosts = new Map<number, string>();
    nameHosts(hosts);
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      near.on('error', () => undefined);
      const { remotePort = 0 } = near;
      near.once('close', () => hosts.delete(remotePort));
      greet(near, (host, port) => {
        hosts.set(remotePort, host);
        const far = dial(forwarder, { host, port }, (error, tunnel) => {
          if (error === null) {
            near.write(answer(GRANTED));
            join(near, tunnel);
            join(tunnel, near);
            near.resume();
            return;
          }
          if (reasons.size < MOST) reasons.set(`${host}:${port.toString()}`, error.message);
          near.end(answer(codeOf(error)));
        });
        near.once('close', () => far.destroy());
      });
    });
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG }, () => {
      server.unref();
      const address = server.address();
      if (address === null || typeof address === 'string') return;
      resolve({ port: address.port, reason: (host, port) => reasons.get(`${host}:${port.toString()}`) });
    });
  });

/**
 * Restores the host of TLS connections to IP addresses. Playwright omits the host of such a connection, so Node.js
 * would check the certificate for `localhost`.
 *
 * @param hosts the hosts of connections, by local port
 */
const nameHosts = (hosts: ReadonlyMap<number, string>): void => {
  const { connect } = tls;
  const named = (...[options, ...rest]: [ConnectionOptions, ...unknown[]]): unknown => {
    const isNamed =
      typeof options !== 'object' ||
      ![options.host, options.servername].every((name) => name === undefined || name === '');
    const host = isNamed || !(options.socket instanceof Socket) ? undefined : hosts.get(options.socket.localPort ?? 0);
    return Reflect.apply(connect, tls, [host === undefined ? options : { ...options, host }, ...rest]);
  };
  tls.connect = named as typeof connect;
};

const codeOf = (error: NodeJS.ErrnoException): number => {
  if (error.code === 'EACCES') return NOT_ALLOWED;
  return error.message.startsWith('Connection refused') ? REFUSED : FAILED;
};

/** Reads the SOCKS request of a connection, but not the bytes after the request. */
const greet = (near: Socket, connect: (host: string, port: number) => void): void => {
  let received = Buffer.alloc(0);
  let isGreeted = false;
  const onData = (piece: Buffer): void => {
    received = Buffer.concat([received, piece]);
    if (!isGreeted) {
      const length = 2 + (received[1] ?? Infinity);
      if (received.length < length) return;
      if (received[0] !== VERSION) near.destroy();
      isGreeted = true;
      received = received.subarray(length);
      near.write(WITHOUT_PASSWORD);
    }
    const asked = read(received);
    if (asked === null) return;
    near.off('data', onData).pause();
    if (asked === 'unknown') {
      near.end(answer(NOT_UNDERSTOOD));
      return;
    }
    const rest = received.subarray(asked.length);
    if (rest.length > 0) near.unshift(rest);
    connect(asked.host, asked.port);
  };
  near.on('data', onData);
};

interface Asked {
  host: string;
  port: number;
  /** size of the request, in bytes */
  length: number;
}

/** Parses a SOCKS request. @returns null if the request is incomplete, `unknown` if it is not supported */
const read = (bytes: Buffer): Asked | 'unknown' | null => {
  if (bytes.length < 5) return null;
  const kind = bytes[3];
  const [from, size] = kind === 1 ? [4, 4] : kind === 4 ? [4, 16] : [5, bytes[4] ?? 0];
  if (bytes[0] !== VERSION || bytes[1] !== CONNECT || ![1, 3, 4].includes(kind ?? 0)) return 'unknown';
  const length = from + size + 2;
  if (bytes.length < length) return null;
  const host = bytes.subarray(from, from + size);
  return { host: textOf(host, kind ?? 0), port: bytes.readUInt16BE(length - 2), length };
};

const textOf = (host: Buffer, kind: number): string => {
  if (kind === 1) return host.join('.');
  if (kind === 3) return host.toString('latin1');
  return Array.from({ length: 8 }, (_, index) => host.readUInt16BE(index * 2).toString(16)).join(':');
};

/** Forwards data from one socket to the other. If `from` breaks, destroys `to`. */
const join = (from: Socket, to: Socket): void => {
  from.pipe(to);
  from.on('error', () => undefined);
  from.once('close', () => {
    if (!from.readableEnded) to.destroy();
  });
};

module.exports = { startSocks } satisfies SocksModule;
