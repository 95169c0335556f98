import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { answeredError } from './answer.ts';
import { HttpError } from './errors.ts';
import { reasonOf } from './reasons.ts';

export interface ListenOptions {
  host: string;
  /** 0 takes a free one */
  port: number;
  /** aborted when the server begins to stop; `createApp` is given its signal, so that answers say so */
  stopping: AbortController;
  /** how long answers in flight may take once the server stops, milliseconds */
  grace?: number;
}

export interface Listening {
  host: string;
  port: number;
  /**
   * Takes no new connections, closes those that are idle, lets answers in flight finish within the
   * grace period, then cuts off what is left. Resolves when all are closed.
   */
  stop: () => Promise<void>;
}

const GRACE = 10_000;
const IDLE_POLL = 20;

/** @throws Error the address can't be listened on, in a sentence */
export const listen = async (app: RequestListener, options: ListenOptions): Promise<Listening> => {
  const { host, port, stopping, grace = GRACE } = options;
  const server = createServer({ requestTimeout: 60_000 }, app);
  server.on('clientError', refuseMalformed);
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

/** What is no HTTP gets an answer with the error body, before any application sees it. */
const refuseMalformed = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const { body } = answeredError(new HttpError(status, message));
  const text = body ?? '';
  socket.end(
    `HTTP/1.1 ${status} ${reasonOf(status)}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
};

const MALFORMED = [400, 'The request is not valid HTTP.'] as const;
const REFUSALS: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};
