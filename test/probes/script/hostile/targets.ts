import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_SECRET, INNER_SECRET } from './hostile-script.ts';

/** The servers and files that hostile scripts try to reach on this machine. */
export interface HostileTargets {
  /** host and port of a page that scripts are allowed to open */
  page: string;
  /** port of the page; on another address, a forbidden server uses the same port */
  pagePort: number;
  /** host and port of a database; the port is reserved */
  database: string;
  databasePort: number;
  /** host and port at which the service listens; the port is reserved */
  service: string;
  /** path of the service's socket */
  socket: string;
  /** path of the data folder */
  data: string;
  /** port of 127.0.0.1 at which datagrams are counted */
  datagrams: number;
  /** Returns the number of connections to forbidden servers plus the number of received datagrams. */
  reached: () => number;
  /** Returns the number of requests to the page. */
  requests: () => number;
  /** Returns the addresses and bodies of all requests to the page. */
  received: () => string;
  close: () => Promise<void>;
}

const PAGE = '<!doctype html><title>Shop</title><h1>Shop</h1><input type="file"><a href="/file" download>File</a>';

/** A service worker that sends requests which its page may not send. */
const WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => {
  const to = new URL(event.request.url).searchParams.get('to');
  if (to) event.respondWith(fetch(to).then(async (answer) => new Response(await answer.text()), () => new Response('refused')));
});`;

/** Maximum number of characters of received data that are stored. */
const KEPT = 1_000_000;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const openHostileTargets = async (): Promise<HostileTargets> => {
  const data = mkdtempSync(join(tmpdir(), 'uptrail-hostile-'));
  writeFileSync(join(data, 'events.db'), DATA_SECRET);
  let reached = 0;
  let requested = 0;
  let received = '';
  const servers: Server[] = [];

  const listening = async (server: Server, at: string | { host: string; port: number }): Promise<Server> => {
    server.listen(at);
    await once(server, 'listening');
    servers.push(server);
    return server;
  };
  const inner = (at: string | { host: string; port: number }): Promise<Server> =>
    listening(
      createServer((connection) => {
        reached += 1;
        connection.on('error', () => undefined).end(`HTTP/1.1 200 OK\r\n\r\n${INNER_SECRET}`);
      }),
      at,
    );

  const page = createHttpServer((request, response) => {
    requested += 1;
    received = (received + (request.url ?? '')).slice(-KEPT);
    request.on('data', (chunk: Buffer) => {
      received = (received + chunk.toString()).slice(-KEPT);
    });
    switch (request.url) {
      case '/inwards':
        response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end();
        return;
      case '/worker.js':
        response.setHeader('Content-Type', 'text/javascript').end(WORKER);
        return;
      case '/file':
        response.setHeader('Content-Disposition', 'attachment; filename="../../../../tmp/hostile-download"');
        response.end('x'.repeat(1_000));
        return;
      default:
        response.setHeader('Content-Type', 'text/html').end(PAGE);
    }
  });
  await listening(page, { host: '127.0.0.1', port: 0 });
  const pagePort = portOf(page);
  const databasePort = portOf(await inner({ host: '127.0.0.1', port: 0 }));
  const service = portOf(await inner({ host: '127.0.0.1', port: 0 }));
  await inner({ host: '127.0.0.9', port: pagePort });
  const socket = join(data, 'service.sock');
  await inner(socket);
  const datagrams = createSocket('udp4', () => {
    reached += 1;
  });
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');

  return {
    page: `127.0.0.1:${pagePort}`,
    pagePort,
    database: `127.0.0.1:${databasePort}`,
    databasePort,
    service: `127.0.0.1:${service}`,
    socket,
    data,
    datagrams: datagrams.address().port,
    reached: () => reached,
    requests: () => requested,
    received: () => received,
    close: async () => {
      page.closeAllConnections();
      for (const server of servers) {
        server.close();
        await once(server, 'close');
      }
      datagrams.close();
      rmSync(data, { recursive: true });
    },
  };
};
