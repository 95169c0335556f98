import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DisconnectedRegion } from '../../../domain/runner/remote-regions.ts';
import { instantOf, SECOND_MS } from '../../../domain/time.ts';
import { recordOutages } from '../../../service/schedule/region-outages.ts';
import { startService } from '../../api/service.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

interface Context {
  given: Awaited<ReturnType<typeof staged>>;
}

/** Starts a service. Tests set `remote` to specify which regions of remote runners are cut off. */
const staged = async () => {
  const service = await startService({ now: NOW });
  const { commands, readers, time, stores, first } = service;
  const remote = { expected: new Set(['EU, West']), cutOff: [] as DisconnectedRegion[] | null };
  const troubles: unknown[] = [];
  const process = () =>
    recordOutages({
      remote: { expected: () => remote.expected, cutOff: () => remote.cutOff },
      commands,
      readers,
      clock: { now: () => time.now, monotonic: () => time.now },
      organizationId: first.id,
      troubles: { report: (_, error) => troubles.push(error) },
    });
  let current = process();
  const started = [current];
  return {
    service,
    remote,
    look: async (secondsLater = 0): Promise<void> => {
      time.now += secondsLater * SECOND_MS;
      await current.poll();
      assert.equal(troubles, []);
    },
    /** Simulates that another process has acquired the lease. The previous process can still poll. */
    takeover: async (): Promise<void> => {
      const { log } = await readPosition(service);
      await readers.waitFor(['region_outages'], { appended: new Map([['main', log]]) });
      current = process();
      started.push(current);
    },
    earlier: () => started[0],
    events: async () =>
      (await stores.main.readAll({ after: 0n, categories: ['region'], limit: 100 })).map(({ type, data, stream }) => {
        const { region, since, because } = data as { region: string; since: string; because?: string };
        return [stream, type, region, since, ...(because === undefined ? [] : [because])];
      }),
    close: async (): Promise<void> => {
      await Promise.all(started.map((one) => one.stop()));
      await service.stop();
    },
  };
};

const readPosition = async ({ stores }: Awaited<ReturnType<typeof startService>>) => {
  const events = await stores.main.readAll({ after: 0n, categories: ['region'], limit: 100 });
  return { log: events.at(-1)?.position ?? 0n };
};

const test = suite<Context>('outages of regions of remote runners');
test.before.each(async (context) => {
  context.given = await staged();
});
test.after.each(({ given }) => given.close());

const west: DisconnectedRegion = { region: 'EU, West', since: NOW - 5 * SECOND_MS };
const since = instantOf(NOW - 5 * SECOND_MS);
const begun = ['region-eu-west1', 'RegionCutOff', 'EU, West', since];
const ended = ['region-eu-west1', 'RegionReconnected', 'EU, West', since, 'connected'];

test("the begin of a region's outage is recorded once, after a minute, and its end is recorded once", async ({
  given,
}) => {
  const { remote, look, events } = given;
  remote.cutOff = [west];
  await look();
  await look(59);
  assert.equal(await events(), []);
  await look(1);
  await look(10);
  assert.equal(await events(), [begun]);
  remote.cutOff = [];
  await look(10);
  await look(10);
  assert.equal(await events(), [begun, ended]);
});

test('a region whose runner reconnects within a minute has no outage', async ({ given }) => {
  const { remote, look, events } = given;
  for (let round = 0; round < 3; round++) {
    remote.cutOff = [west];
    await look(10);
    await look(40);
    remote.cutOff = [];
    await look(10);
  }
  assert.equal(await events(), []);
});

test('the outage of a region is recorded once even if several processes record outages at the same time or in turn', async ({
  given,
}) => {
  const { remote, look, takeover, earlier, events } = given;
  remote.cutOff = [west];
  await look();
  await look(60);
  await takeover();
  await look();
  await look(60);
  await earlier()?.poll();
  assert.equal(await events(), [begun]);
  remote.cutOff = [];
  await look();
  await earlier()?.poll();
  await takeover();
  await look(10);
  assert.equal(await events(), [begun, ended]);
});

test('the outage of a region does not end because the service restarts and does not know the connected runners yet', async ({
  given,
}) => {
  const { remote, look, takeover, events } = given;
  remote.cutOff = [west];
  await look();
  await look(60);
  remote.cutOff = null;
  await takeover();
  await look(10);
  assert.equal(await events(), [begun]);
  // After the restart, the time of the runner's last report is unknown.
  remote.cutOff = [{ region: 'EU, West', since: null }];
  await look(10);
  await look(120);
  assert.equal(await events(), [begun]);
  remote.cutOff = [];
  await look(10);
  assert.equal(await events(), [begun, ended]);
});

test('if the last report of a region’s runner is unknown, the outage of the region begins when the outage was first noticed', async ({
  given,
}) => {
  const { remote, look, events } = given;
  remote.cutOff = [{ region: 'EU, West', since: null }];
  await look();
  await look(70);
  assert.equal(await events(), [['region-eu-west1', 'RegionCutOff', 'EU, West', instantOf(NOW)]]);
});

test('the outage of a region ends with the reason not_remote if the region no longer has remote runners', async ({
  given,
}) => {
  const { remote, look, takeover, events } = given;
  remote.cutOff = [west];
  await look();
  await look(60);
  remote.expected = new Set();
  remote.cutOff = [];
  await takeover();
  await look(10);
  assert.equal(await events(), [begun, [...ended.slice(0, -1), 'not_remote']]);
});

test('a region that waits for its first runner has no outage', async ({ given }) => {
  const { remote, look, events } = given;
  remote.cutOff = [{ region: 'EU, West', since: null, waiting: true }];
  await look();
  await look(3_600);
  assert.equal(await events(), []);
});

test('the outage of a region is in the audit log of its organization, or of the operator for public regions', async ({
  given,
}) => {
  const { remote, look, service } = given;
  const { first, second, request } = service;
  const office = 'private-0123456789ab';
  remote.expected.add(office);
  remote.cutOff = [west, { region: office, since: null, name: 'Office', organization_id: second.id }];
  await look();
  await look(60);
  const { log } = await readPosition(service);
  await service.readers.waitFor(['audit'], { appended: new Map([['main', log]]) });
  const auditOf = async (key: string): Promise<unknown[]> => {
    const reply = await request('GET', '/v1/audit?resource_type=region', { key });
    assert.is(reply.status, 200, reply.text);
    const { audit_logs } = reply.json() as { audit_logs: Record<string, unknown>[] };
    return audit_logs.map(({ action, resource_id, resource_name }) => [action, resource_id, resource_name]);
  };
  assert.equal(await auditOf(first.keys.admin), [['region.cut_off', 'eu-west1', 'EU, West']]);
  assert.equal(await auditOf(second.keys.admin), [['region.cut_off', office, 'Office']]);
  remote.cutOff = [];
  await look(10);
  const events = await service.stores.main.readAll({ after: 0n, categories: ['region'], limit: 100 });
  assert.is(events.length, 4);
});

test.run();
