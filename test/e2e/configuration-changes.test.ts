import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fields } from '../../domain/fields.ts';
import { PROJECT } from '../project.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApiExpecting, endPrograms, PROGRAM, serve, uptrail, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('changed configuration files of a running service');
test.after.each(endPrograms);

const environmentOf = (address: string) => ({ UPTRAIL_URL: address, UPTRAIL_API_KEY: ADMIN_API_KEY });

const create = (program: RunningProgram, path: string, body: Fields, status = 201) =>
  callApiExpecting<{ id: string }>(program, ADMIN_API_KEY, status, 'POST', path, body);

/** The lists of a service whose objects have names. */
const LISTS: readonly (readonly [path: string, key: string | null])[] = [
  ['/v1/check-groups', 'groups'],
  ['/v1/checks', 'checks'],
  ['/v1/alerts/channels', null],
  ['/v1/alerts/rules?by_tag=true', null],
  ['/v1/heartbeats', 'checks'],
  ['/v1/pages', 'pages'],
  ['/v1/incident-templates', 'incident_templates'],
];

/** Returns the names of all objects, and the marks of objects. */
const namesIn = async (program: RunningProgram): Promise<{ names: string[]; marks: unknown[] }> => {
  const get = (path: string) => callApiExpecting<Fields | Fields[]>(program, ADMIN_API_KEY, 200, 'GET', path);
  const lists = await Promise.all(
    LISTS.map(async ([path, key]) => {
      const body = await get(path);
      return (key === null ? body : (body as Fields)[key]) as Fields[];
    }),
  );
  const pages = lists[5] ?? [];
  const parts = await Promise.all(pages.map(({ id }) => get(`/v1/pages/${String(id)}/components`)));
  const objects = [...lists, ...(parts as Fields[][])].flat();
  return {
    names: objects.map(({ name }) => String(name)).sort(),
    marks: [...new Set(objects.map(({ managed_by }) => managed_by))],
  };
};

const check = (name: string, others: Fields = {}): Fields => ({
  name,
  type: 'icmp',
  host: 'a.example',
  interval: 60,
  active: false,
  ...others,
});

test(
  '--prune deletes the objects of `apply` that leave the files, and no object that was made by hand',
  inTemporaryFolder(async (folder) => {
    const program = await serve({ DATA_DIR: `${folder}/data`, ADMIN_API_KEY });
    const file = `${folder}/uptrail.yaml`;
    const run = (command: string, ...options: string[]) =>
      uptrail(environmentOf(program.address), command, '-f', file, ...options);
    const remaining = {
      checks: [check('Listed', { tags: ['prod'] })],
      channels: [{ name: 'Mail', type: 'email', configuration: { recipients: ['a@example.com'] } }],
    };
    const all = {
      check_groups: [{ name: 'Gone group' }],
      checks: [...remaining.checks, check('Gone', { group: 'Gone group' })],
      channels: remaining.channels,
      rules: [{ name: 'Gone rule', tag: 'prod', condition: 'check_failed', channels: ['Mail'] }],
      pages: [{ name: 'Gone page', subdomain: 'gone', components: [{ name: 'Gone component', check: 'Gone' }] }],
    };
    writeFileSync(file, JSON.stringify(all));
    const applied = await run('apply');
    assert.is(applied.code, 0, applied.stdout + applied.stderr);

    const list = await callApiExpecting<Fields>(program, ADMIN_API_KEY, 200, 'GET', '/v1/checks');
    const gone = (list['checks'] as Fields[]).find(({ name }) => name === 'Gone') ?? {};
    const [channel] = await callApiExpecting<Fields[]>(program, ADMIN_API_KEY, 200, 'GET', '/v1/alerts/channels');
    await create(program, '/v1/check-groups', { name: 'Hand group' });
    await create(program, '/v1/checks', check('Hand', { group_id: gone['group_id'] }));
    const rule = { condition: 'check_failed', channel_ids: [channel?.['id']] };
    await create(program, '/v1/alerts/rules', { name: 'Hand rule', tag: 'prod', ...rule });
    await create(program, '/v1/alerts/rules', { name: 'Lost rule', check_id: gone['id'], ...rule });

    writeFileSync(file, JSON.stringify(remaining));
    assert.is((await run('plan')).code, 0);
    const planned = await run('plan', '--prune');
    assert.is(planned.code, 2, planned.stdout + planned.stderr);
    assert.match(planned.stdout, '- check "Gone group / Gone"\n    deleted with it: 1 rule: "Lost rule"\n');
    assert.match(planned.stdout, '- check group "Gone group"\n    1 check in it stays without a group: "Hand"\n');
    assert.match(planned.stdout, '0 to create, 0 to change, 4 to delete, 2 unchanged.');
    const pruned = await run('apply', '--prune');
    assert.is(pruned.code, 0, pruned.stdout + pruned.stderr);
    assert.equal((await namesIn(program)).names, ['Hand', 'Hand group', 'Hand rule', 'Listed', 'Mail']);
    assert.is((await run('plan', '--prune')).code, 0);
  }),
);

const EVERYTHING = {
  check_groups: [{ name: 'Shop' }, { name: 'Blog' }],
  checks: [check('Cart', { group: 'Shop', tags: ['prod'] }), check('Site', { group: 'Blog' }), check('Alone')],
  channels: [
    { name: 'Mail', type: 'email', configuration: { recipients: ['a@example.com'] } },
    { name: 'Hook', type: 'webhook', configuration: { url: 'https://hooks.example.com/x' } },
  ],
  rules: [
    { name: 'Cart is down', check: 'Cart', condition: 'check_failed', channels: ['Mail', 'Hook'] },
    { name: 'Prod is down', tag: 'prod', condition: 'check_failed', channels: ['Hook'] },
  ],
  heartbeats: [{ name: 'Backup', period_seconds: 3_600, channels: ['Mail', 'Hook'] }],
  pages: [
    {
      name: 'Acme',
      subdomain: 'acme',
      component_groups: [{ name: 'Store' }],
      components: [{ name: 'Basket', group: 'Store', check: 'Cart' }, { name: 'News' }],
    },
  ],
  incident_templates: [{ name: 'Outage', page: 'Acme', components: [{ component: 'Basket', status: 'major_outage' }] }],
};

/**
 * Listens between a command and a service. `onWrite` is called after each change that the service has carried out, and
 * returns whether the command gets the response.
 */
const listenBetween = async (address: string, onWrite: () => boolean): Promise<Server> => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request;
      const sent = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
      void fetch(address + url, {
        method,
        headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
        ...(method !== 'GET' && { body: Buffer.concat(parts) }),
      })
        .then(async (answer) => {
          const body = await answer.text();
          if (method === 'GET' || onWrite()) response.writeHead(answer.status).end(body);
          else request.socket.destroy();
        })
        .catch(() => request.socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

test(
  'an apply that is killed again and again while its changes are in flight ends with each object once',
  inTemporaryFolder(async (folder) => {
    const program = await serve({ DATA_DIR: `${folder}/data`, ADMIN_API_KEY });
    const file = `${folder}/uptrail.yaml`;
    writeFileSync(file, JSON.stringify(EVERYTHING));
    let child: ReturnType<typeof spawn> | null = null;
    let writes = 0;
    const server = await listenBetween(program.address, () => {
      writes += 1;
      if (writes < 2) return true;
      child?.kill('SIGKILL');
      return false;
    });
    const { port } = server.address() as AddressInfo;
    const run = async (): Promise<number | null> => {
      writes = 0;
      child = spawn(process.execPath, [...PROGRAM, 'apply', '-f', file], {
        cwd: PROJECT,
        env: { PATH: process.env['PATH'], ...environmentOf(`http://127.0.0.1:${port}`) },
        stdio: 'ignore',
      });
      const [code] = (await once(child, 'close')) as [number | null];
      return code;
    };
    let kills = 0;
    while ((await run()) === null) kills += 1;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.ok(kills >= 4, String(kills));

    const last = await uptrail(environmentOf(program.address), 'apply', '-f', file);
    assert.is(last.code, 0, last.stdout + last.stderr);
    const { names, marks } = await namesIn(program);
    assert.equal(names, [
      'Acme',
      'Alone',
      'Backup',
      'Basket',
      'Blog',
      'Cart',
      'Cart is down',
      'Hook',
      'Mail',
      'News',
      'Outage',
      'Prod is down',
      'Shop',
      'Site',
      'Store',
    ]);
    assert.equal(marks, ['apply']);
    assert.is((await uptrail(environmentOf(program.address), 'plan', '-f', file)).code, 0);
  }),
);

test.run();
