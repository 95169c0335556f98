import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { freePort } from '../servers/ports.ts';
import { createCheck } from './checking.ts';
import { callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Time limit for the first run of a check that is new or has a new target, in seconds. */
const FIRST_RUN = 5;
/** Whether one process performs all duties. In a cluster, no single process has all metrics and log lines. */
const EMBEDDED = process.env['UPTRAIL_DEPLOYMENT'] !== 'cluster';

const test = suite('checks as users see them');
const servers = new Set<Server>();
test.after.each(async () => {
  await endPrograms();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
});

/** Starts an API that accepts only valid requests. */
const orderApi = async (): Promise<string> => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const right = request.method === 'POST' && request.headers['x-api-key'] === 'k3y' && body === '{"order":1}';
      response.writeHead(right ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ accepted: right }));
    });
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
};

const apiCheck = (url: string) => ({
  name: 'Orders',
  type: 'api',
  url,
  interval: 3_600,
  timeout: 5,
  parameters: {
    http_request: { method: 'POST', headers: { 'X-Api-Key': 'k3y' }, body: '{"order":1}' },
    search_text: '"accepted":true',
  },
});

/** Returns the value of a metric with these labels; 0 if the metric is absent. */
const figure = async ({ address }: RunningProgram, name: string, labels: Record<string, string>): Promise<number> => {
  const lines = (await (await fetch(`${address}/metrics`)).text()).split('\n');
  const found = lines.find(
    (line) =>
      line.startsWith(`${name}{`) &&
      Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
  );
  return Number(found?.split(' ').at(-1) ?? 0);
};

test(
  'a check of an API comes up, goes down and recovers, as shown over HTTP, on the command line, in the log and in the metrics',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY, LOG_LEVEL: 'info' });
    const url = await orderApi();
    const check = await createCheck(program, ADMIN_API_KEY, apiCheck(url));
    await check.reaches('up', FIRST_RUN);
    const [result] = await check.results();
    assert.is(result?.status, 'ok');
    assert.is(result?.check_metadata['status_code'], 200);
    assert.not.match(JSON.stringify(result), 'k3y');

    const closed = await freePort();
    await callApi(program, ADMIN_API_KEY, 'PATCH', check.path, { url: `http://127.0.0.1:${closed}/` });
    await check.reaches('down', FIRST_RUN);
    const sentence = `Connection refused by 127.0.0.1:${closed}.`;
    const shown = await uptrail({ DATA_DIR }, 'checks');
    assert.is(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, new RegExp(`${check.id} +Orders +api +down +\\S+ +down: ${sentence}`));
    await callApi(program, ADMIN_API_KEY, 'PATCH', check.path, { url });
    await check.reaches('up', FIRST_RUN);
    const [line = ''] = (await uptrail({ DATA_DIR }, 'checks', '--json')).stdout.split('\n');
    const reported = JSON.parse(line) as { status: string; response_times: (number | null)[] };
    assert.is(reported.status, 'up');
    assert.is(reported.response_times.length, 3);
    assert.is(reported.response_times[1], null);

    if (EMBEDDED) {
      const { stderr } = program.output;
      for (const said of ['Check \\"Orders\\" came up', `Check \\"Orders\\" went down: ${sentence}`, 'recovered'])
        assert.ok(stderr.includes(said), said);
      const region = 'RU, Moscow';
      assert.is(await figure(program, 'check_runs_total', { trigger: 'scheduled', type: 'api' }), 3);
      const duration = 'check_run_duration_seconds_count';
      assert.is(await figure(program, duration, { region, type: 'api', status: 'ok' }), 2);
      assert.is(await figure(program, duration, { region, type: 'api', status: 'down' }), 1);
      assert.is(await figure(program, 'check_queue_runs', { region, state: 'waiting' }), 0);
      assert.match(await (await fetch(`${program.address}/metrics`)).text(), /\ncheck_run_lateness_seconds_count 3\n/);
    }
    await program.end('SIGTERM');
  }),
);

test(
  'the command line shows the queue of the running service by region',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const shown = await uptrail({ DATA_DIR }, 'queue');
    assert.is(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^REGION +WAITING +IN FLIGHT +PARKED\n/);
    assert.match(shown.stdout, /\nEU, West +0 +0 +0\n/);
    await program.end('SIGTERM');
    if (!EMBEDDED) return;
    const alone = await uptrail({ DATA_DIR }, 'queue');
    assert.is(alone.code, 1);
    assert.match(alone.stderr, /^No service is running on /);
  }),
);

test(
  'the list of regions for a check type contains only the regions in which this type can run',
  inTemporaryFolder(async (DATA_DIR) => {
    const withoutBrowser = { PLAYWRIGHT_CHROMIUM: join(DATA_DIR, 'no-browser') };
    const program = await serve({ DATA_DIR, ADMIN_API_KEY, REGIONS: 'eu-west1,in-mum1', ...withoutBrowser });
    const regionsFor = async (type: string): Promise<string[]> => {
      const { body } = await callApi(program, ADMIN_API_KEY, 'GET', `/v1/checks/get-regions?check_type=${type}`);
      return (body as { regions: { id: string }[] }).regions.map(({ id }) => id).sort();
    };
    for (const type of ['web', 'api', 'tcp']) assert.equal(await regionsFor(type), ['EU, West', 'IN, Mumbai'], type);
    assert.equal(await regionsFor('synthetic'), []);
    await program.end('SIGTERM');
  }),
);

test(
  'checks stop when the credits are used up, do not run after a restart either, and continue after credits are added',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY };
    const first = await serve(environment);
    const url = await orderApi();
    const [organization] = (await callApi(first, ADMIN_API_KEY, 'GET', '/v1/organizations')).body as { id: string }[];
    const id = organization?.id ?? '';
    const credits = async (program: RunningProgram) =>
      ((await callApi(program, ADMIN_API_KEY, 'GET', `/v1/organizations/${id}`)).body as { credits: Credits }).credits;
    const limit = async (program: RunningProgram, to: number): Promise<void> => {
      const { code, stderr } = await uptrail({ DATA_DIR }, 'organization', 'credit-limit', id, to.toString());
      assert.is(code, 0, stderr);
      await eventually(async () => (await credits(program)).limit === to, { within: 60_000 });
    };
    await limit(first, 1);
    const check = await createCheck(first, ADMIN_API_KEY, apiCheck(url));
    await check.reaches('up', FIRST_RUN);
    assert.is((await credits(first)).used, 1);
    const shown = async (program: RunningProgram) =>
      (await callApi(program, ADMIN_API_KEY, 'GET', check.path)).body as { suspended_reason: string | null };
    assert.is((await shown(first)).suspended_reason, 'Credit limit exceeded');
    await first.end('SIGTERM');

    const second = await serve(environment);
    assert.is((await shown(second)).suspended_reason, 'Credit limit exceeded');
    const refused = await callApi(second, ADMIN_API_KEY, 'POST', `${check.path}/execute`);
    assert.is(refused.status, 403, second.output.stderr);
    assert.is((refused.body as { message: string }).message, 'Credit limit exceeded');
    const history = await uptrail({ DATA_DIR }, 'history', 'organization', id);
    assert.match(history.stdout, /Credit limit reached, by the system \(credit-limits\)/);
    await limit(second, 2);
    assert.is((await shown(second)).suspended_reason, null);
    await eventually(
      async () => (await callApi(second, ADMIN_API_KEY, 'POST', `${check.path}/execute`)).status === 202,
      {
        within: 60_000,
      },
    );
    await eventually(async () => (await credits(second)).used === 2, { within: 60_000 });
    assert.is((await shown(second)).suspended_reason, 'Credit limit exceeded');
    await second.end('SIGTERM');
  }),
);

interface Credits {
  limit: number | null;
  used: number;
}

test.run();
