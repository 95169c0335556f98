import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registries } from '../../../../probes/engine/check-type.ts';
import { rawServer, type Opened } from '../../web/servers.ts';

/** The responses of registries. */
export interface World {
  /** Returns IANA's list of RDAP servers. A string is sent unchanged; an empty string means an error response. */
  bootstrap?: (origin: string) => object | string;
  /** Sends the RDAP response for a path such as `/rdap/domain/example.com`. */
  rdap?: (path: string, response: ServerResponse) => void;
  /**
   * Returns the WHOIS response for a server's address and a query. With null, the server sends nothing and keeps the
   * connection open.
   */
  whois?: (server: string, question: string) => string | Buffer | null;
}

export interface LocalWorld {
  registries: Registries;
  /** the received queries, such as `GET /bootstrap` or `127.0.0.1 com` */
  requests: string[];
  /** the origin of the RDAP server */
  origin: string;
  close: () => Promise<void>;
}

/** Addresses of the WHOIS servers of IANA, a registry and a registrar. All use the same port. */
export const IANA = '127.0.0.1';
export const REGISTRY = '127.0.0.2';
export const REGISTRAR = '127.0.0.3';

/** Returns IANA's list, in which one server serves all these top-level domains. */
export const listOf =
  (...topLevels: readonly string[]) =>
  (origin: string): object => ({ version: '1.0', services: [[topLevels, [`${origin}/rdap/`]]] });

/** Starts registries on loopback. */
export const localWorld = async ({ bootstrap = listOf('com'), rdap, whois }: World): Promise<LocalWorld> => {
  const requested: string[] = [];
  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    requested.push(`${request.method ?? ''} ${path}`);
    if (path === '/bootstrap') {
      const list = bootstrap(origin);
      const output = typeof list === 'string' ? list : JSON.stringify(list);
      response.writeHead(output === '' ? 503 : 200, { 'content-type': 'application/json' }).end(output);
    } else if (rdap) rdap(path, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((listening) => http.listen(0, IANA, listening));
  const origin = `http://${IANA}:${(http.address() as AddressInfo).port}`;
  const servers: Opened[] = [];
  const open = async (host: string, port = 0): Promise<number> => {
    const server = await rawServer(
      (socket) => {
        socket.once('data', (line: Buffer) => {
          const question = line.toString().trim();
          requested.push(`${host} ${question}`);
          const output = whois ? whois(host, question) : '';
          if (output !== null) socket.end(output);
        });
      },
      host,
      port,
    );
    servers.push(server);
    return server.port;
  };
  const port = await open(IANA);
  await open(REGISTRY, port);
  await open(REGISTRAR, port);
  return {
    registries: { rdapBootstrapUrl: `${origin}/bootstrap`, whoisServer: { host: IANA, port } },
    requests: requested,
    origin,
    close: async () => {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
      for (const server of servers) await server.close();
    },
  };
};
