import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../network/clock.ts';
import { prepareError, sendResponse } from './response.ts';
import { createRequestArrivals } from './connections/request-arrival.ts';
import { networkOf } from './client-address.ts';
import { CONNECTION_LIMITS, limitConnections, type ConnectionLimits } from './connections/limits.ts';
import { HttpError } from './errors.ts';
import { hostProblem } from './hosts/host.ts';
import type { RequestKind } from './connections/pools.ts';
import { reasonOf } from './reasons.ts';

export interface ListenOptions {
  host: string;
  /** 0: a free port */
  port: number;
  /** aborted when the server starts to stop; `createApp` gets its signal, so that responses close their connections */
  stopping: AbortController;
  /** how long responses in progress may take after the server starts to stop, milliseconds */
  grace?: number;
  /** override {@link CONNECTION_LIMITS} */
  limits?: Partial<ConnectionLimits>;
  /** whether a request bypasses the ordinary queue; default: none does */
  isUrgent?: (request: IncomingMessage) => boolean;
  /** the kind of a request (http/connections/pools.ts); default: an ordinary call */
  kindOf?: (request: IncomingMessage) => RequestKind;
  /** identifies the client of a request, for round-robin queueing; default: the peer address */
  clientOf?: (request: IncomingMessage) => string | undefined;
  /** for the limits of requests in progress; overridden by tests */
  clock?: Pick<Clock, 'monotonic' | 'after'>;
  /** override {@link LISTEN_TIMINGS} */
  timings?: Partial<typeof LISTEN_TIMINGS>;
}

/** All in milliseconds. */
export const LISTEN_TIMINGS = {
  /** until the head of a request has arrived, counted from the connection or from the previous response */
  headers: 10_000,
  /** until the whole request has arrived */
  request: 60_000,
  /** how often both are checked */
  check: 1_000,
  /** how long a refused client may take to read the error before its connection is closed */
  linger: 2_000,
};

export interface RunningServer {
  host: string;
  port: number;
  /**
   * Refuses new connections, closes idle ones, lets responses in progress finish within the grace period, then closes
   * the rest. Resolves when all are closed.
   */
  stop: () => Promise<void>;
}

const GRACE = 10_000;
const IDLE_POLL = 20;

/** @throws Error the server cannot listen on this address; the message is for people */
export const listen = async (app: RequestListener, options: ListenOptions): Promise<RunningServer> => {
  const {
    host,
    port,
    stopping,
    grace = GRACE,
    limits,
    isUrgent = () => false,
    kindOf = () => 'call',
    clientOf = peerOf,
    clock,
  } = options;
  const { headers, request, check, linger } = { ...LISTEN_TIMINGS, ...options.timings };
  const server = createServer({
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: check,
    // Node.js would refuse a request without Host, but without our error body.
    requireHostHeader: false,
  });
  const application = {
    app: needingHost(app),
    refuse: OVERLOADED,
    isUrgent,
    kindOf,
    clientOf: (message: IncomingMessage) => networkOf(clientOf(message) ?? ''),
    ...(clock && { clock }),
  };
  const arrivals = createRequestArrivals();
  const serve = arrivals.noting(limitConnections(server, { ...CONNECTION_LIMITS, ...limits }, application));
  server.on('request', serve);
  // Each route decides whether it accepts an unknown expectation (http/routes/endpoint.ts).
  server.on('checkExpectation', serve);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refused = (): void => {
      refuse(error, socket, linger);
    };
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') arrivals.unlessArrived(socket, refused);
    else refused();
  });
  await bind(server, host, port);
  const address = server.address() as AddressInfo;
  let stopped: Promise<void> | null = null;
  return {
    host: address.address,
    port: address.port,
    stop: () => {
      stopping.abort();
      stopped ??= close(server, grace);
      return stopped;
    },
  };
};

const peerOf = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress;

/** Responds to a request before it reaches the application, and closes its connection. */
const refusing =
  (error: HttpError): RequestListener =>
  (request, response) => {
    sendResponse(request, response, prepareError(error), { requestId: randomUUID(), closing: true });
  };

const OVERLOADED = refusing(
  new HttpError(503, 'The service is overloaded at the moment. The request was not performed; send it again later.', {
    headers: { 'Retry-After': '2' },
  }),
);

const needingHost =
  (app: RequestListener): RequestListener =>
  (request, response) => {
    const problem = hostProblem(request);
    (problem === null ? app : refusing(new HttpError(400, problem)))(request, response);
  };

const bind = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE' ? 'another program listens there' : `the system refuses it (${error.message})`;
      reject(new Error(`Can't listen on ${host}, port ${port}: ${reason}.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });

const close = (server: Server, grace: number): Promise<void> =>
  new Promise((resolve) => {
    // Connections that were busy when the server closed become idle later.
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, IDLE_POLL);
    const cutOff = setTimeout(() => {
      server.closeAllConnections();
    }, grace);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });

/**
 * Responds with the error body to a request that is not valid HTTP or does not arrive in time. The connection is closed
 * after a while, since a client could otherwise occupy a descriptor for as long as it likes.
 */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex, linger: number): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const { body } = prepareError(new HttpError(status, message));
  const text = typeof body === 'string' ? body : '';
  socket.end(
    `HTTP/1.1 ${status} ${reasonOf(status)}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  const cutOff = setTimeout(() => {
    socket.destroy();
  }, linger);
  socket.once('close', () => {
    clearTimeout(cutOff);
  });
};

const MALFORMED = [400, 'The request is not valid HTTP.'] as const;
const REFUSALS: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};
