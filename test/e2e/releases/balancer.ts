import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { realPause } from '../../waiting.ts';

/** A load balancer that sends requests to the processes whose `/health/ready` returns 200. */
export interface Balancer {
  address: string;
  add: (backend: string) => void;
  remove: (backend: string) => void;
  /** Returns whether a process is ready. */
  isReady: (backend: string) => boolean;
  close: () => Promise<void>;
}

interface BackendResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

const POLL_MS = 100;
/** Time for which a request waits for a ready process, in milliseconds. */
const PATIENCE_MS = 5_000;

const readAll = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** Headers that concern one connection only (RFC 9110, 7.6.1). */
const HOP = ['connection', 'keep-alive', 'transfer-encoding'];

const withoutHopHeaders = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)));

/** Sends a request on a connection of its own. */
const forward = (backend: string, incoming: IncomingMessage, body: Buffer): Promise<BackendResponse> =>
  new Promise((resolve, reject) => {
    const { method, url = '/', headers } = incoming;
    const others = withoutHopHeaders(headers);
    const outgoing = request(backend + url, { method, agent: false, headers: others }, (response) => {
      readAll(response).then((content) => {
        resolve({
          status: response.statusCode ?? 0,
          headers: withoutHopHeaders(response.headers),
          body: content,
        });
      }, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/**
 * Starts a balancer. If a process closes a connection without a response, the request is sent to another process. All
 * requests can be repeated, because writes have an `Idempotency-Key`.
 */
export const startBalancer = async (): Promise<Balancer> => {
  const ready = new Map<string, boolean>();
  let turn = 0;
  const choose = (): string | undefined => {
    const candidates = [...ready].flatMap(([backend, isReady]) => (isReady ? [backend] : []));
    return candidates[turn++ % candidates.length];
  };
  const respond = async (incoming: IncomingMessage): Promise<BackendResponse> => {
    const body = await readAll(incoming);
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
      const backend = choose();
      try {
        if (backend !== undefined) return await forward(backend, incoming, body);
      } catch {
        if (backend !== undefined) ready.set(backend, false);
      }
      await realPause(POLL_MS / 2, 'a balancer tries again after a moment');
    }
    return { status: 502, headers: {}, body: Buffer.from('no process is ready') };
  };
  const server = createServer((incoming, response) => {
    respond(incoming).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = new AbortController();
  const polling = (async () => {
    while (!closed.signal.aborted) {
      await Promise.all(
        [...ready.keys()].map(async (backend) => {
          const isReady = await fetch(`${backend}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          );
          if (ready.has(backend)) ready.set(backend, isReady);
        }),
      );
      await realPause(POLL_MS, 'a balancer polls at intervals');
    }
  })();
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (backend) => ready.set(backend, false),
    remove: (backend) => ready.delete(backend),
    isReady: (backend) => ready.get(backend) ?? false,
    close: async () => {
      closed.abort();
      await polling;
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
};
