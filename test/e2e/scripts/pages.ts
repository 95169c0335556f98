import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { realPause } from '../../waiting.ts';

/** A page that is served. */
export interface ServedPage {
  html: string;
  status?: number;
  /** delay of the response, in milliseconds */
  after?: number;
}

export interface Pages {
  /** Serves a page from now on. @returns its URL on 127.0.0.1 */
  serve: (page: ServedPage) => string;
  close: () => Promise<void>;
}

/** Starts a server for single pages. */
export const startPages = async (): Promise<Pages> => {
  const pages: ServedPage[] = [];
  const server = createServer((request, response) => {
    const page = pages[Number(request.url?.slice(1))] ?? { html: 'There is no such page.', status: 404 };
    void realPause(page.after ?? 0, 'a slow page').then(() => {
      response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><html lang="en">${page.html}</html>`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    serve: (page) => `http://127.0.0.1:${port}/${pages.push(page) - 1}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
