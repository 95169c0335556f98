import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Test } from 'uvu';
import { freePort } from '../../../servers/ports.ts';

export interface PagesServer {
  url: string;
  /** the requested paths, in order */
  requested: string[];
}

const html = (body: string): string =>
  `<!doctype html><html><head><title>Shop</title></head><body>${body}</body></html>`;

/** Pages that use most features of browsers, by path. The server on 127.0.0.1 ends with the suite. */
const PAGES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/': (_, response) => {
    response.end(html('<h1>Welcome</h1><a href="/next">Next</a><button>Buy</button>'));
  },
  '/next': (_, response) => {
    response.end(html('<h1>Next page</h1>'));
  },
  '/popup': (_, response) => {
    response.end(html('<button onclick="window.open(\'/next\')">Open</button>'));
  },
  '/redirect': (_, response) => {
    response.writeHead(302, { location: '/' }).end();
  },
  '/many': (_, response) => {
    response.end(html(Array.from({ length: 60 }, (__, index) => `<img src="/image?${index}">`).join('')));
  },
  '/image': (_, response) => {
    response.setHeader('content-type', 'image/svg+xml');
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  },
  '/slow': (_, response) => {
    setTimeout(() => response.end(html('<h1>At last</h1>')), 700);
  },
  '/never': () => undefined,
  '/error': (_, response) => {
    response.writeHead(500).end(html('<h1>Broken</h1>'));
  },
  '/headers': (_, response) => {
    response.setHeader('x-long', 'x'.repeat(6_000));
    response.end(html('<p>Long</p>'));
  },
  '/socket': (_, response) => {
    response.end(
      html(`<p id="said"></p><script>
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/talk');
        socket.onmessage = ({ data }) => { document.getElementById('said').textContent = data; };
      </script>`),
    );
  },
  '/json': (_, response) => {
    response.setHeader('content-type', 'application/json').end('{"name":"book","price":12}');
  },
};

/**
 * Accepts WebSockets and sends `hello` over each.
 *
 * @returns a function that closes all open WebSockets, because the server itself does not track them after the upgrade
 */
const greet = (server: Server): (() => void) => {
  const open = new Set<Duplex>();
  server.on('upgrade', (request, socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // A server's socket remains half open unless it is read to the end and then ended.
    socket.on('end', () => socket.end()).resume();
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.on('error', () => undefined);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello')]));
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
};

export const pagesServer = async (tests: Test): Promise<PagesServer> => {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    requested.push(request.url ?? '/');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const page = PAGES[path];
    if (page) page(request, response);
    else response.writeHead(404).end(html('<h1>Not found</h1>'));
  });
  const endTalks = greet(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  tests.after(() => {
    server.closeAllConnections();
    endTalks();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested: requested };
};

/** Returns the host and port of a closed port. */
export const nobodyListens = async (): Promise<string> => {
  return `127.0.0.1:${await freePort()}`;
};
