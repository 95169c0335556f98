import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../network/clock.ts';
import { prepareError, sendResponse } from './response.ts';
import { createDrain } from './connections/drain.ts';
import { createRequestArrivals } from './connections/request-arrival.ts';
import { networkOf } from './client-address.ts';
import { CONNECTION_LIMITS, limitConnections, type ConnectionLimits } from './connections/limits.ts';
import { HttpError } from './errors.ts';
import { hostProblem } from './hosts/host.ts';
import type { RequestKind } from './connections/pools.ts';
import { reasonOf } from './reasons.ts';

export interface ListenOptions {
  host: string;
  /** port; 0: a free port */
  port: number;
  /**
   * file descriptor of a listening TCP socket that this process has inherited. It replaces `host` and `port`. When the
   * server stops, connections that it has not accepted remain in the socket's queue, for the next process.
   */
  inherited?: number;
  /** aborted when the server starts to stop. `createApp` gets the signal, so that responses close their connections */
  stopping: AbortController;
  /** milliseconds that responses in progress may take after the server starts to stop */
  grace?: number;
  /** limits that differ from {@link CONNECTION_LIMITS} */
  limits?: Partial<ConnectionLimits>;
  /** whether a request bypasses the ordinary queue; default: no request does */
  isUrgent?: (request: IncomingMessage) => boolean;
  /** returns the kind of a request (http/connections/pools.ts); default: every request is an ordinary call */
  kindOf?: (request: IncomingMessage) => RequestKind;
  /** returns the address by which clients are distinguished in the queue; default: the peer address */
  clientOf?: (request: IncomingMessage) => string | undefined;
  /** clock for the limits of requests in progress; tests pass their own */
  clock?: Pick<Clock, 'monotonic' | 'after'>;
  /** timings that differ from {@link LISTEN_TIMINGS} */
  timings?: Partial<typeof LISTEN_TIMINGS>;
}

/** Time limits, in milliseconds. */
export const LISTEN_TIMINGS = {
  /** maximum time until the head of a request has arrived, counted from the connection or from the previous response */
  headers: 10_000,
  /** maximum time until the whole request has arrived */
  request: 60_000,
  /** interval between two checks of the limits `headers` and `request` */
  check: 1_000,
  /** maximum time for a refused client to read the error before the connection is closed */
  linger: 2_000,
};

export interface RunningServer {
  host: string;
  port: number;
  /**
   * Stops the server: refuses new connections, closes idle ones, and waits for responses in progress until the grace
   * period ends. Then closes the remaining connections. Resolves when all connections are closed. On an inherited
   * socket, idle connections may send another request first (http/connections/drain.ts).
   */
  stop: () => Promise<void>;
}

/** Maximum number of connections that wait in the queue of an inherited socket. The system may have a lower limit. */
const INHERITED_BACKLOG = 4_096;

const GRACE = 10_000;
const IDLE_POLL = 20;

/**
 * Starts a server.
 *
 * @throws Error the server cannot listen on this address; the message is for people
 */
export const listen = async (app: RequestListener, options: ListenOptions): Promise<RunningServer> => {
  const {
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
    // Node.js itself would refuse a request without Host, but not with the error body of this service.
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
  // Each route decides whether it accepts an unknown `Expect` header (http/routes/endpoint.ts).
  server.on('checkExpectation', serve);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refused = (): void => {
      refuse(error, socket, linger);
    };
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') arrivals.unlessArrived(socket, refused);
    else refused();
  });
  const drain = options.inherited === undefined ? null : createDrain(server);
  await bind(server, options);
  const address = server.address() as AddressInfo;
  let stopped: Promise<void> | null = null;
  return {
    host: address.address,
    port: address.port,
    stop: () => {
      stopping.abort();
      stopped ??= close(server, grace, drain);
      return stopped;
    },
  };
};

const peerOf = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress;

/** Creates a listener that responds to a request with an error, without the application, and closes the connection. */
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

const bind = (server: Server, { host, port, inherited: fd }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const place = fd === undefined ? `${host}, port ${port}` : `the inherited socket (file descriptor ${fd})`;
    const fail = (reason: string, cause?: Error): void => {
      reject(new Error(`Can't listen on ${place}: ${reason}.`, { cause }));
    };
    server.once('error', (error: NodeJS.ErrnoException) => {
      fail(
        error.code === 'EADDRINUSE' ? 'another program listens there' : `the system refuses it (${error.message})`,
        error,
      );
    });
    if (fd === undefined) server.listen(port, host, resolve);
    else {
      server.listen({ fd }, INHERITED_BACKLOG, () => {
        const address = server.address();
        if (typeof address === 'object' && address !== null) resolve();
        else
          server.close(() => {
            fail('it is not a TCP socket');
          });
      });
    }
  });

const close = async (server: Server, grace: number, drain: (() => Promise<void>) | null): Promise<void> => {
  const end = performance.now() + grace;
  await drain?.();
  await closeWithin(server, end - performance.now());
};

const closeWithin = (server: Server, grace: number): Promise<void> =>
  new Promise((resolve) => {
    // A connection that is busy when the server closes becomes idle later, so idle connections are closed repeatedly.
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
 * Responds with the error body to a request that is not valid HTTP or does not arrive in time. Closes the connection
 * after the time `linger`, because a client could otherwise occupy a file descriptor forever.
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
