import { chmod, chown, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TargetPolicy } from '../../../domain/target/policy.ts';
import type { PortRange } from '../../../domain/target/ports.ts';
import type { Clock } from '../../../network/clock.ts';
import { peerOf } from '../../../network/failure-sentences.ts';
import type { Resolve } from '../../../network/resolve.ts';
import { createForward } from './forward.ts';
import { PROXY_LIMITS, type ProxyLimits } from './limits.ts';
import { createMeter } from './meter.ts';
import { createNotes, type ProxyNote } from './notes.ts';
import { parseHostAndPort, parseRequestTarget, type HostAndPort } from './request-target.ts';
import { createTargetConnector } from './connect-target.ts';
import { REASONS, refusalResponse, refusalBytes, ProxyRefusal } from './refusal.ts';
import { joinSockets } from './tunnel.ts';

export interface ProxyOptions {
  /** path of the socket to create; it must not exist */
  socketPath: string;
  /** the user and group that own the socket; null: those of this process */
  owner: { uid: number; gid: number } | null;
  resolve: Resolve;
  /** policy for targets; it may change, so each connection is checked against the current rules */
  policy: TargetPolicy;
  /** the ports that scripts may connect to (`SCRIPT_PORTS`) */
  ports: readonly PortRange[];
  clock: Clock;
  limits?: Partial<ProxyLimits>;
  /** Called for each refusal and failure, with a note for the logs of the run. */
  onNote: (note: ProxyNote) => void;
  /** closes the proxy when it aborts */
  signal?: AbortSignal;
}

export interface Proxy {
  /** Returns the number of bytes to and from targets so far. */
  bytes: () => number;
  /** Returns the number of connection attempts to targets so far. */
  connections: () => number;
  /** Closes all connections and removes the socket. Resolves when this is done. */
  close: () => Promise<void>;
}

/**
 * Starts the proxy of a sandbox, which is the sandbox's only access to the network. The proxy supports CONNECT and
 * plain HTTP, resolves names itself, and connects only to addresses that the target policy allows at that time. For
 * each refusal and failure, it sends a response with a sentence, and reports a note.
 *
 * @throws Error if the proxy can't listen on the socket
 */
export const startProxy = async (options: ProxyOptions): Promise<Proxy> => {
  const { socketPath, owner, clock, signal } = options;
  const limits = { ...PROXY_LIMITS, ...options.limits };
  const note = createNotes(options.onNote, clock.now);
  const reach = createTargetConnector({ ...options, limits });
  const clients = new Set<Socket>();
  const turnedAway = new WeakSet<Socket>();
  let asked = 0;

  const spent = (): ProxyRefusal =>
    new ProxyRefusal(
      403,
      'connection_limit_reached',
      `The run has sent and received ${sizeOf(limits.bytes)}, which is the maximum.`,
    );

  const meter = createMeter(limits.bytes, () => {
    note(spent().message);
    for (const socket of reach.open()) socket.destroy();
  });
  const forward = createForward({ reach, meter, limits });

  const count = (): void => {
    asked += 1;
    // Closes the proxy if the run ignores refusals.
    if (asked > 2 * limits.requests) void close();
  };

  /** @throws ProxyRefusal if the request exceeds a limit */
  const admit = (client: Socket): void => {
    count();
    if (asked > limits.requests)
      throw new ProxyRefusal(
        403,
        'connection_limit_reached',
        `The run has made ${limits.requests} requests, which is the maximum.`,
      );
    if (meter.isExceeded()) throw spent();
    if (turnedAway.has(client))
      throw new ProxyRefusal(
        503,
        'connection_limit_reached',
        `The run has ${limits.concurrentConnections} connections open, which is the maximum.`,
      );
  };

  /** Reports a refusal as a note. @param to the requested target; null if it could not be parsed */
  const told = (refused: ProxyRefusal, to: string | null): ProxyRefusal => {
    const { message, kind } = refused;
    const isOfRun = kind === 'connection_limit_reached';
    note(to === null || isOfRun || message.includes(to) ? message : `${to}: ${message}`);
    return refused;
  };

  const answer = (refused: ProxyRefusal, request: IncomingMessage, response: ServerResponse): void => {
    if (response.headersSent || response.destroyed) return;
    const { headers, body } = refusalResponse(refused);
    response.sendDate = false;
    response.writeHead(refused.status, REASONS[refused.status], headers).end(body);
    // Discards the rest of the request's body. The connection ends with the response.
    request.resume();
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    let to: string | null = null;
    const refuse = (refused: ProxyRefusal): void => {
      answer(told(meter.isExceeded() ? spent() : refused, to), request, response);
    };
    try {
      admit(request.socket);
      const target = parseRequestTarget(request.url ?? '');
      to = peerOf(target.host, target.port);
      forward(request, response, target, refuse);
    } catch (error) {
      refuse(asRefused(error));
    }
  };

  const onConnect = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const near = socketOf(stream);
    near.on('error', () => undefined);
    let place: HostAndPort | null = null;
    const refuse = (error: unknown): void => {
      endWith(near, told(asRefused(error), place && peerOf(place.host, place.port)));
    };
    try {
      admit(near);
      place = parseHostAndPort(request.url ?? '', null);
    } catch (error) {
      refuse(error);
      return;
    }
    reach.connect(place).then((far) => {
      if (near.destroyed) {
        far.destroy();
        return;
      }
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) near.unshift(head);
      joinSockets(near, far, limits.idleTimeout, meter);
    }, refuse);
  };

  const server = createServer({
    maxHeaderSize: limits.head,
    insecureHTTPParser: false,
    requireHostHeader: false,
    keepAliveTimeout: limits.idleTimeout,
    // Slow clients need no time limits: they occupy only connections of their own run, which ends soon.
    headersTimeout: 0,
    requestTimeout: 0,
  });
  server.on('request', onRequest);
  server.on('connect', onConnect);
  // The timeout is longer than the idle timeout, because browsers open connections before they need them.
  server.timeout = 2 * limits.idleTimeout;
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = socketOf(stream);
    if (!socket.writable || LEFT.has(error.code ?? '')) socket.destroy();
    else endWith(socket, told(unreadable(error), null));
  });
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    count();
    if (clients.size > limits.concurrentConnections) turnedAway.add(client);
    if (clients.size > 2 * limits.concurrentConnections) client.destroy();
  });

  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      signal?.removeEventListener('abort', onAbort);
      const gone = [...clients, ...reach.open()].map(ended);
      const stopped = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      reach.end();
      for (const client of clients) client.destroy();
      await Promise.all([stopped, ...gone]);
      await rm(socketPath, { force: true });
    })();
    return closed;
  };
  const onAbort = (): void => {
    void close();
  };

  await listen(server, socketPath, owner);
  if (signal?.aborted === true) await close();
  else signal?.addEventListener('abort', onAbort);
  return { bytes: meter.total, connections: reach.tried, close };
};

const listen = async (server: Server, socketPath: string, owner: ProxyOptions['owner']): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: socketPath }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  try {
    if (owner) await chown(socketPath, owner.uid, owner.gid);
    await chmod(socketPath, 0o600);
  } catch (error) {
    server.close();
    throw error;
  }
};

const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else
      socket.once('close', () => {
        resolve();
      });
  });

/** Casts a stream to a socket. The types of Node.js declare the sockets of a server as streams. */
const socketOf = (stream: Duplex): Socket => {
  if (!(stream instanceof Socket)) throw new TypeError('A connection of the proxy is not a socket.');
  return stream;
};

/** Error codes that mean that a client has disconnected. */
const LEFT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

/** How long a client may take to read a refusal, in milliseconds. */
const LINGER_MS = 2_000;

const endWith = (socket: Socket, refused: ProxyRefusal): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(refusalBytes(refused));
  socket.resume();
  socket.setTimeout(LINGER_MS, () => {
    socket.destroy();
  });
};

/** Error codes of Node.js for requests that its parser accepts but its client refuses to send. */
const UNWRITABLE: ReadonlySet<unknown> = new Set([
  ...['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_UNESCAPED_CHARACTERS', 'ERR_HTTP_INVALID_HEADER_VALUE'],
]);

const asRefused = (error: unknown): ProxyRefusal => {
  if (error instanceof ProxyRefusal) return error;
  return UNWRITABLE.has((error as NodeJS.ErrnoException).code)
    ? new ProxyRefusal(400, 'http_request_error', "The request can't be forwarded: it is not valid HTTP.", {
        cause: error,
      })
    : new ProxyRefusal(502, 'proxy_internal_error', "The request can't be forwarded.", { cause: error });
};

const unreadable = ({ code }: NodeJS.ErrnoException): ProxyRefusal => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ProxyRefusal(431, 'http_request_error', 'The head of the request is too long.');
  return new ProxyRefusal(400, 'http_request_error', 'The request is not valid HTTP.');
};

const sizeOf = (bytes: number): string =>
  bytes >= 1_048_576 ? `${Math.round(bytes / 1_048_576)} MiB` : `${bytes} bytes`;
