import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PRODUCTS } from '../../../cli/import-from/products.ts';
import { runImport } from '../../../cli/import-from/run.ts';
import { createServiceTarget } from '../../../cli/import-from/service-target.ts';
import type { Fields } from '../../../domain/fields.ts';
import { startService } from '../../api/service.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { wholeClient } from './service-client.ts';

const test = suite('texts of imported files');
const service = await startService();
test.after(() => service.stop());
const client = wholeClient(service.request, service.first.keys.admin);

const SECRET = 'hunter2';
const TEXT = '${env:SECRET}';

/** A file of each product with a text that names a variable. Each file gives an object whose name begins with the product. */
const FILES: Readonly<Record<string, { name: string; content: string | object }>> = {
  'uptime-kuma': {
    name: 'backup.json',
    content: { monitorList: [{ id: 1, name: `uptime-kuma ${TEXT}`, type: 'ping', hostname: 'a.example' }] },
  },
  uptimerobot: {
    name: 'monitors.csv',
    content: `Type,Friendly Name,URL/IP,Interval\nPing,uptimerobot ${TEXT},a.example,60\n`,
  },
  gatus: {
    name: 'config.yaml',
    content: { endpoints: [{ name: `gatus ${TEXT}`, url: 'icmp://a.example', conditions: ['[CONNECTED] == true'] }] },
  },
  healthchecks: { name: 'checks.json', content: { checks: [{ name: `healthchecks ${TEXT}`, timeout: 3_600 }] } },
  statuspage: {
    name: 'export.json',
    content: {
      page: { id: 'p1', name: `statuspage ${TEXT}`, page_description: TEXT },
      components: [{ id: 'c1', name: `statuspage ${TEXT}`, status: 'operational' }],
      incidents: [
        {
          id: 'i1',
          name: TEXT,
          status: 'resolved',
          created_at: '2026-01-01T00:00:00Z',
          resolved_at: '2026-01-01T01:00:00Z',
          incident_updates: [],
        },
      ],
      incident_templates: [{ id: 't1', name: TEXT, title: TEXT, body: TEXT, update_status: 'investigating' }],
    },
  },
  blackbox: {
    name: 'prometheus.yml',
    content: {
      scrape_configs: [
        {
          job_name: `blackbox ${TEXT}`,
          metrics_path: '/probe',
          params: { module: ['icmp'], target: ['a.example'] },
          static_configs: [{ targets: ['exporter:9115'], labels: { instance: `blackbox ${TEXT}` } }],
        },
      ],
    },
  },
};

/** Returns all objects that imports create. */
const objects = async (): Promise<Fields[]> => {
  const pages = await client.list('/v1/pages', 'pages');
  const below = ['components', 'incidents'].flatMap((part) =>
    pages.map(async ({ id }) => (await client.get(`/v1/pages/${String(id)}/${part}`)) as Fields[]),
  );
  return [
    ...pages,
    ...(await Promise.all(below)).flat(),
    ...(await client.list('/v1/checks', 'checks')),
    ...(await client.list('/v1/check-groups', 'groups')),
    ...(await client.list('/v1/heartbeats', 'checks', 'per_page')),
    ...(await client.list('/v1/incident-templates', 'incident_templates')),
  ];
};

for (const { name: product, title, read } of PRODUCTS) {
  test(
    `a file of ${title} cannot name a variable of the environment`,
    inTemporaryFolder(async (folder) => {
      const file = FILES[product];
      assert.ok(file, `The test has no file of ${title}.`);
      const path = join(folder, file.name);
      writeFileSync(path, typeof file.content === 'string' ? file.content : JSON.stringify(file.content));
      const target = createServiceTarget(client, { environment: { SECRET } });
      await runImport(await read([path]), target, { title, dryRun: false, json: false }, collectLines());
      const found = await objects();
      assert.ok(
        found.some(({ name }) => name === `${product} ${TEXT}`),
        JSON.stringify(found.map(({ name }) => name)),
      );
      assert.not.match(JSON.stringify(found), SECRET);
    }),
  );
}

test.run();
