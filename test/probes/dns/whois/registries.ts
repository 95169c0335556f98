import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registries } from '../../../../probes/engine/check-type.ts';
import { rawServer, type Opened } from '../../web/servers.ts';

/** What registries say. */
export interface World {
  /** IANA's list of RDAP servers: a text is sent unchanged, an empty one as an error */
  bootstrap?: (origin: string) => object | string;
  /** RDAP responses by path: `/rdap/domain/example.com` */
  rdap?: (path: string, response: ServerResponse) => void;
  /** WHOIS responses by the server's address and the query; null: sends nothing and stays connected */
  whois?: (server: string, question: string) => string | Buffer | null;
}

export interface LocalWorld {
  registries: Registries;
  /** queries received: `GET /bootstrap`, `127.0.0.1 com` */
  asked: string[];
  /** where RDAP is */
  origin: string;
  close: () => Promise<void>;
}

/** Addresses of WHOIS servers, all on one port: IANA, a registry, a registrar. */
export const IANA = '127.0.0.1';
export const REGISTRY = '127.0.0.2';
export const REGISTRAR = '127.0.0.3';

/** IANA's list, where one server has all these top-level domains. */
export const listOf =
  (...topLevels: readonly string[]) =>
  (origin: string): object => ({ version: '1.0', services: [[topLevels, [`${origin}/rdap/`]]] });

/** Registries on loopback. */
export const localWorld = async ({ bootstrap = listOf('com'), rdap, whois }: World): Promise<LocalWorld> => {
  const asked: string[] = [];
  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    asked.push(`${request.method ?? ''} ${path}`);
    if (path === '/bootstrap') {
      const list = bootstrap(origin);
      const said = typeof list === 'string' ? list : JSON.stringify(list);
      response.writeHead(said === '' ? 503 : 200, { 'content-type': 'application/json' }).end(said);
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
          asked.push(`${host} ${question}`);
          const said = whois ? whois(host, question) : '';
          if (said !== null) socket.end(said);
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
    asked,
    origin,
    close: async () => {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
      for (const server of servers) await server.close();
    },
  };
};
