// Own process: this file restarts itself in a network namespace.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSlot } from '../../../../runners/scheduler/slots.ts';
import { testWith } from '../../../deploy/project.ts';
import { runInOwnNetwork } from '../../../own-network.ts';
import { createAuthority } from '../../../probes/web/certificates.ts';
import { freePort } from '../../../servers/ports.ts';
import { eventually, realPause } from '../../../waiting.ts';
import { createCheck, type CheckClient } from '../../checking.ts';
import { shiftedClock, skippedWithoutFaketime } from '../../faketime.ts';
import { createNginx } from '../../nginx.ts';
import { callApiExpecting, callApi, endPrograms, programIn, serve, uptrail } from '../../program.ts';
import { ADMIN_API_KEY, waitForConnected, createRunner, runnersOf, startRunner } from '../remote.ts';
import { openConnectProxy } from './connect-proxy.ts';
import { openInternet, SERVICE_ADDRESS } from './internet.ts';
import { HOUR_SECONDS } from '../../../../domain/time.ts';

/**
 * How long the connection is cut, in seconds. The cut is longer than two intervals, because a check is marked as having
 * no runner only after two intervals.
 */
const CUT_S = Number(process.env['CUT_SECONDS'] ?? '180');
/** The shortest interval, in seconds. */
const INTERVAL = 30;
/**
 * Interval, in seconds, of the check that runs in all regions. It exceeds the shortest interval, because the deadline
 * of a run that is in progress at the cut is more than 30 s away.
 */
const PARALLEL_INTERVAL = 60;
/** The URL of all checks. Each runner's network has a server at this address. */
const SHOP = 'http://127.0.0.1:8080/';

const cut = suite('a remote runner whose connection is cut');
const TOOLS = ['ip', 'nft', 'nginx', 'openssl'] as const;
const missing = TOOLS.find((tool) => spawnSync(tool, ['-v']).error !== undefined);
if (missing !== undefined) console.log(`skipped: ${missing} is not installed`);
const isInside = missing === undefined && !skippedWithoutFaketime() && runInOwnNetwork();
const test = testWith(cut, isInside);

const folder = mkdtempSync(join(tmpdir(), 'uptrail-cut-'));
const ends: (() => Promise<void> | void)[] = [
  () => {
    rmSync(folder, { recursive: true });
  },
];
cut.after(async () => {
  await endPrograms();
  for (const end of ends) await end();
});

/** A result event in the log. */
interface Stored {
  data: {
    check_id: string;
    region: string;
    run_id: string;
    slot: string;
    status: string;
    late?: true;
    ran_at?: string;
  };
  metadata: { recorded_at: string };
}

const resultsIn = async (environment: Record<string, string>): Promise<Stored[]> => {
  const { stdout } = await uptrail(environment, 'replay', '--log', 'results', '--type', 'CheckRunCompleted');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Stored);
};

const at = (instant: string): number => Date.parse(`${instant.slice(0, 23)}Z`);

test('a remote runner whose connection is cut continues to run checks, and its results are stored once afterwards without causing alerts', async () => {
  const internet = await openInternet();
  ends.unshift(internet.close);
  const authority = createAuthority();
  ends.unshift(authority.close);
  authority.make('service', { names: `IP:${SERVICE_ADDRESS}` });
  const certificate = { cert: authority.file('service.crt'), key: authority.file('service.key') };
  const PORT = (await freePort()).toString();
  const environment = { DATA_DIR: join(folder, 'service'), ADMIN_API_KEY, PORT, TRUST_PROXY: '127.0.0.1' };
  const service = await serve(environment);
  const front = createNginx(folder, [{ port: 443, addresses: [SERVICE_ADDRESS], certificate, proxyTo: Number(PORT) }]);
  await front.start();
  ends.unshift(front.stop);
  const proxy = await openConnectProxy(SERVICE_ADDRESS);
  ends.unshift(proxy.close);

  const settings = [
    { name: 'West', region: 'eu-west1', environment: {} },
    {
      name: 'Mumbai',
      region: 'in-mum1',
      environment: { HTTPS_PROXY: `http://${SERVICE_ADDRESS}:${proxy.port}` },
    },
    { name: 'Cellar', environment: shiftedClock(HOUR_SECONDS) },
  ];
  const runners = [];
  for (const { environment: own, ...body } of settings) {
    const created = await createRunner(service, body);
    const site = await internet.addSite();
    const place = join(folder, created.id);
    const nginx = createNginx(mkdtempSync(join(folder, 'site-')), [{ port: 8080 }], site.commandPrefix);
    void nginx.start().catch(() => undefined);
    ends.unshift(nginx.stop);
    const program = await startRunner(
      service,
      {
        token: created.token,
        folder: place,
        server: `https://${SERVICE_ADDRESS}`,
        options: ['--ca-file', authority.file('root.crt')],
        environment: own,
      },
      programIn(site.commandPrefix),
    );
    await waitForConnected(service, created.id);
    runners.push({ ...created, site, program });
  }
  const [west, mumbai, cellar] = runners;
  assert.ok(west && mumbai && cellar);
  assert.ok(proxy.tunnels() > 0, 'Mumbai is connected by the proxy');
  const { clock_offset_ms } = await eventually(async () =>
    (await runnersOf(service)).find(({ id, clock_offset_ms: offset }) => id === cellar.id && offset !== null),
  );
  assert.ok(Math.abs((clock_offset_ms ?? 0) - HOUR_SECONDS * 1_000) < 60_000, String(clock_offset_ms));

  const create = (name: string, interval: number, parameters: object): Promise<CheckClient> =>
    createCheck(service, ADMIN_API_KEY, { name, type: 'web', interval, timeout: 5, url: SHOP, parameters });
  const everywhere = await create('Everywhere', PARALLEL_INTERVAL, {
    regions: runners.map(({ region }) => region),
    multi_region_execution: { enabled: true, execution_mode: 'all', alert_policy: { condition: 'majority' } },
  });
  const inWest = await create('West', INTERVAL, { regions: [west.region] });
  const inCellar = await create('Cellar', INTERVAL, { regions: [cellar.region] });
  const checks = [everywhere, inWest, inCellar];
  const intervalOf = (check: CheckClient): number => (check === everywhere ? PARALLEL_INTERVAL : INTERVAL);
  const post = <T>(path: string, body: object): Promise<T> =>
    callApiExpecting<T>(service, ADMIN_API_KEY, 201, 'POST', path, body);
  const channel = { name: 'Nobody', type: 'webhook', configuration: { url: 'http://127.0.0.1:9/' } };
  const { id: channel_id } = await post<{ id: string }>('/v1/alerts/channels', channel);
  for (const { id: check_id } of checks)
    await post('/v1/alerts/rules', { name: 'Down', check_id, channel_ids: [channel_id], condition: 'check_failed' });
  await Promise.all(checks.map((check) => check.reaches('up', INTERVAL)));
  // Waits until the schedule has assigned a run of each check, so that the runners know all checks before the cut.
  const first = Date.now();
  await eventually(() => checks.every((check) => nextSlot(check.id, intervalOf(check), first) + 5_000 < Date.now()), {
    within: 90_000,
    what: 'a slot of each check',
  });

  const shown = (check: CheckClient) =>
    callApiExpecting<{ status: string; suspended_reason: string | null }>(
      service,
      ADMIN_API_KEY,
      200,
      'GET',
      check.path,
    );
  const begun = Date.now();
  for (const { site } of [west, cellar]) site.cut();
  await realPause(CUT_S * 1_000, 'the connection is cut for so long');
  for (const { id } of [west, cellar]) await waitForConnected(service, id, 0);
  assert.equal(
    (await Promise.all(checks.map(shown))).map(({ status, suspended_reason }) => [status, suspended_reason]),
    [
      ['up', null],
      ['up', 'No runner serves its region.'],
      ['up', 'No runner serves its region.'],
    ],
  );
  for (const { site } of [west, cellar]) site.mend();
  const ended = Date.now();
  for (const { id } of runners) await waitForConnected(service, id);
  for (const check of checks)
    await eventually(async () => (await shown(check)).suspended_reason === null, { within: 90_000 });
  await realPause(10_000, 'results spooled on the disk are sent meanwhile');

  const { alerts } = await callApiExpecting<{ alerts: unknown[] }>(service, ADMIN_API_KEY, 200, 'GET', '/v1/alerts');
  assert.equal(alerts, []);
  const { body } = await callApi(service, ADMIN_API_KEY, 'GET', `${inWest.path}?include_uptime=true`);
  const { uptime_summary } = body as { uptime_summary: { uptime_percentage: number; total_checks?: number } };
  assert.is(uptime_summary.uptime_percentage, 100, JSON.stringify(uptime_summary));
  const listed = await inWest.results();
  for (const { program } of runners) assert.is((await program.end('SIGTERM')).code, 0);
  assert.is((await service.end('SIGTERM')).code, 0);

  const stored = await resultsIn(environment);
  assert.is(new Set(stored.map(({ data }) => `${data.run_id} ${data.region}`)).size, stored.length, 'once each');
  for (const [check, { region }] of [
    [inWest, west],
    [inCellar, cellar],
    [everywhere, west],
    [everywhere, mumbai],
    [everywhere, cellar],
  ] as const) {
    const { id } = check;
    const interval = intervalOf(check);
    const own = stored.filter(({ data }) => data.check_id === id && data.region === region);
    const slots = new Map(own.map((one) => [at(one.data.slot), one]));
    for (let slot = nextSlot(id, interval, first); slot < ended; slot = nextSlot(id, interval, slot)) {
      const one = slots.get(slot);
      const when = `${region}: ${((slot - begun) / 1_000).toFixed(1)} s after the cut`;
      assert.ok(
        one,
        `${when} there is no result: ${own.map((other) => ((at(other.data.slot) - begun) / 1_000).toFixed(1)).join(', ')}`,
      );
      assert.is(one.data.status, 'ok', when);
      if (slot < begun + 60_000 || slot > ended - interval * 1_000 || region === mumbai.region) continue;
      assert.is(one.data.late, true, when);
      const ran = at(one.data.ran_at ?? one.metadata.recorded_at);
      assert.ok(ran >= slot && ran < slot + interval * 1_000, `${when} it ran ${ran - slot} ms later`);
    }
  }
  assert.is(listed.length, stored.filter(({ data }) => data.check_id === inWest.id).length);
});

cut.run();
