/**
 * The targets of the probes, in a separate process: a small page over HTTP and over HTTPS, and a port that accepts
 * connections.
 */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';

/** The page, which has about 1.5 KiB including the response header. */
const PAGE = `<!doctype html><title>All is well.</title>${'<p>Nothing has happened today.</p>'.repeat(35)}`;

const respond: RequestListener = (_request, response) => {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': PAGE.length,
    'cache-control': 'max-age=0, private, must-revalidate',
    'x-content-type-options': 'nosniff',
  });
  response.end(PAGE);
};

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

process.once('message', ({ value }: { value: { key: string; cert: string } | null }) => {
  const opening = {
    http: listening(createServer(respond)),
    https: value && listening(createSecureServer(value, respond)),
    tcp: listening(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.resume();
      }),
    ),
  };
  void (async () => {
    process.send?.({ http: await opening.http, https: await opening.https, tcp: await opening.tcp });
  })();
});
process.once('disconnect', () => process.exit());
