import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HandedRun, Hello, OfflineResult, Order, Report, SentResult } from '../../../runners/remote/protocol.ts';

/** A response that is sent instead of the one that the protocol requires. */
export interface Instead {
  status: number;
  message?: string;
  headers?: Record<string, string>;
  /** a body to send; default: JSON with the message */
  body?: string;
}

export type Route = 'sessions' | 'work' | 'results' | 'files' | 'leave';

export interface Received {
  method: string;
  route: Route;
  path: string;
  authorization: string | undefined;
  protocol: string | undefined;
  body: string;
}

export const RUN: HandedRun = {
  delivery: 'd1',
  ticket: 'ticket of d1',
  check_id: 'check0000001',
  check: { type: 'web', url: 'http://127.0.0.1/', host: null, port: null, timeout: 5, parameters: {}, secrets: {} },
  fresh: false,
  slot: 0,
  not_after: 0,
  schedule: { interval: 60, repeats: false },
};

/** Starts a simulated service for remote runners, which behaves like the real one as far as runners can observe. */
export const startFakeService = async ({
  port = 0,
  now = () => Date.now(),
  silence = 30_000,
  heartbeat = silence / 2,
}: { port?: number; now?: () => number; silence?: number; heartbeat?: number } = {}) => {
  const received: Received[] = [];
  const streams = new Set<ServerResponse>();
  const instead = new Map<Route, Instead[]>();
  let sessions = 0;
  let session: string | null = null;
  let losing = 0;
  let isMute = false;

  const welcome = () => ({
    session,
    runner: { id: 'runner000001', name: 'a runner', region: 'EU, West', private: false },
    clock: now(),
    silence_ms: silence,
    heartbeat_ms: heartbeat,
    limits: { results: 100, report_bytes: 100_000, file_bytes: 1_000_000 },
  });

  const answer = (response: ServerResponse, status: number, value: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

  const routeOf = (method: string, path: string): Route => {
    if (method === 'DELETE') return 'leave';
    const [, route = 'sessions'] = /^\/internal\/runners\/sessions\/[^/]+\/(\w+)/.exec(path) ?? [];
    return route as Route;
  };

  const handle = (request: Received, response: ServerResponse): void => {
    const { route, path } = request;
    const other = instead.get(route)?.shift();
    if (other) {
      answer(response, other.status, other.body ?? { message: other.message ?? 'no' }, other.headers);
      return;
    }
    if (route === 'sessions') {
      session = `s${++sessions}`;
      answer(response, 200, welcome());
      return;
    }
    if (session === null || !path.includes(`/sessions/${session}`)) {
      answer(response, 404, { message: 'There is no such session.' });
      return;
    }
    if (route === 'work') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': here\n\n');
      streams.add(response);
      response.on('close', () => streams.delete(response));
    } else if (route === 'results') {
      if (isMute) return;
      if (losing > 0) {
        losing -= 1;
        response.destroy();
      } else answer(response, 200, { clock: now(), refused: [] });
    } else if (route === 'files') answer(response, 200, { staged: `stored ${request.body.length}` });
    else answer(response, 200, {});
  };

  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one: Received = {
        method,
        path,
        route: routeOf(method, path),
        authorization: headers.authorization,
        protocol: headers['uptrail-runner-protocol'] as string | undefined,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      handle(one, response);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;

  const of = (route: Route): Received[] => received.filter((one) => one.route === route);
  const reports = (): Report[] => of('results').map(({ body }) => JSON.parse(body) as Report);

  return {
    port: bound,
    url: new URL(`http://127.0.0.1:${bound}`),
    received,
    of,
    hellos: (): Hello[] => of('sessions').map(({ body }) => JSON.parse(body) as Hello),
    reports,
    results: (): SentResult[] => reports().flatMap(({ results }) => results),
    offline: (): OfflineResult[] => reports().flatMap(({ offline }) => offline),
    isStreaming: (): boolean => streams.size > 0,
    /** Sends these responses to the next requests of a kind. */
    answerInstead: (route: Route, ...answers: Instead[]): void => {
      instead.set(route, [...(instead.get(route) ?? []), ...answers]);
    },
    /** Accepts the next reports, but closes the connection before the receipt is sent. */
    loseReceipts: (count: number): void => {
      losing = count;
    },
    /** From now on accepts reports without a response, like a service behind a broken network. */
    fallSilent: (): void => {
      isMute = true;
    },
    write: (text: string): void => {
      for (const stream of streams) stream.write(text);
    },
    send: (order: Order): void => {
      for (const stream of streams) stream.write(`data: ${JSON.stringify(order)}\n\n`);
    },
    /** Assigns a run that is due now. */
    hand: (run: Partial<HandedRun>): void => {
      const order: Order = { kind: 'run', run: { ...RUN, slot: now(), not_after: now() + 60_000, ...run } };
      for (const stream of streams) stream.write(`data: ${JSON.stringify(order)}\n\n`);
    },
    dropStreams: (): void => {
      for (const stream of streams) stream.destroy();
    },
    forgetSession: (): void => {
      session = null;
    },
    stop: async (): Promise<void> => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

export type FakeService = Awaited<ReturnType<typeof startFakeService>>;
