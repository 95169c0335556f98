import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite } from '../../site/pages/published-site.ts';
import { noBrowser, openBrowser } from '../browser.ts';
import { installFromNpm } from './installing.ts';

const test = suite('clients of Statuspage');

const clients = await installFromNpm('statuspage.io@3.3.8', '@statuspage/status-widget@1.0.5');
const site = await startPublishedSite();
const servers: ReturnType<typeof createServer>[] = [];
test.after(async () => {
  await site.stop();
  for (const server of servers) server.close();
  if ('remove' in clients) await clients.remove();
});

const serve = (listener: RequestListener): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(listener);
    servers.push(server);
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });

/** Starts a proxy that serves the page at the root of a host, as the proxy of an operator does. */
const atRoot = (): Promise<string> =>
  serve((request, response) => {
    const path = `/status/acme${request.url ?? ''}`;
    const { method, headers } = request;
    const onward = httpRequest({ host: '127.0.0.1', port: site.service.port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });

interface Named {
  name: string;
}

interface Client {
  setApiUrl: (url: string) => void;
  api: {
    getSummary: () => Promise<{ incidents: Named[]; components: Named[]; status: { description: string } }>;
    getStatus: () => Promise<{ status: { indicator: string } }>;
    getComponents: () => Promise<{ components: Named[] }>;
    incidents: Record<'getAll' | 'getUnresolved', () => Promise<{ incidents: Named[] }>>;
    scheduledMaintenances: Record<
      'getActive' | 'getAll' | 'getUpcoming',
      () => Promise<{ scheduled_maintenances: Named[] }>
    >;
  };
}

const shop = await site.component('Shop');
await site.incident({ components: { [shop]: 'partial_outage' } });
await site.incident({
  name: 'Upgrade',
  status: 'scheduled',
  scheduled_for: '2026-11-29T02:00:00Z',
  scheduled_until: '2026-11-29T03:00:00Z',
});

if ('missing' in clients) console.log(`skipped: ${clients.missing}`);
else {
  test('the npm package statuspage.io reads all files of a page that is served below a path', async () => {
    const { Statuspage } = createRequire(join(clients.folder, 'client.js'))('statuspage.io') as {
      Statuspage: new (page: string) => Client;
    };
    const client = new Statuspage('acme');
    client.setApiUrl(`http://127.0.0.1:${site.service.port}/status/acme`);
    const { api } = client;
    const summary = await api.getSummary();
    assert.equal(
      [summary.status.description, summary.components[0]?.name, summary.incidents[0]?.name],
      ['Partial System Outage', 'Shop', 'Checkout fails'],
    );
    assert.is((await api.getStatus()).status.indicator, 'major');
    assert.is((await api.getComponents()).components.length, 1);
    for (const read of [api.incidents.getAll, api.incidents.getUnresolved])
      assert.equal(
        (await read.call(api.incidents)).incidents.map(({ name }) => name),
        ['Checkout fails'],
      );
    const { scheduledMaintenances: maintenances } = api;
    for (const read of [maintenances.getActive, maintenances.getAll, maintenances.getUpcoming]) {
      const { scheduled_maintenances: found } = await read.call(maintenances);
      assert.equal(
        found.map(({ name }) => name),
        ['Upgrade'],
      );
    }
  });

  const without = noBrowser();
  if (without !== null) console.log(`skipped: ${without}`);
  else {
    test('the widget of Statuspage shows the status of a page on another origin', async () => {
      const folder = join(clients.folder, 'node_modules/@statuspage/status-widget/dist');
      const script = await readFile(join(folder, 'index.js'));
      const page = await atRoot();
      const embedding = await serve((request, response) => {
        if (request.url === '/widget.js') {
          response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
          return;
        }
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<statuspage-widget src="${page}/any/path"></statuspage-widget><script src="/widget.js"></script>`);
      });
      const browser = await openBrowser();
      try {
        const tab = await browser.newPage();
        const read = tab.waitForResponse((response) => response.url() === `${page}/api/v2/summary.json`);
        await tab.goto(embedding);
        assert.is((await read).status(), 200);
        await tab.getByText('Partial System Outage').waitFor();
      } finally {
        await browser.close();
      }
    });
  }
}

test.run();
