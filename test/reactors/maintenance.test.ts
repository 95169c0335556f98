import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle, type Handle } from '../../commands/engine/handle.ts';
import { isDueUpTo } from '../../reactors/engine/lists.ts';
import { MAINTENANCE, maintenance } from '../../reactors/maintenance.ts';
import { maintenances } from '../../projections/maintenances/projection.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { startService } from '../api/service.ts';
import { createStatusPage } from '../api/v1/pages/status-page.ts';
import { contextOf, reactorsOf } from './context.ts';
import { startReactor } from './start-reactor.ts';
import { shortPause, createReactorHarness } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';
import { HOUR_MS } from '../../domain/time.ts';

const test = suite('the maintenance reactor');

const NOON = Date.UTC(2026, 10, 20, 12);
const at = (clock: string): number => Date.parse(`2026-11-20T${clock}:00Z`);
const instant = (clock: string): string => `2026-11-20T${clock}:00.000000`;

const service = await startService({ now: NOON });
const { time, readers, statuses, stores, request, first } = service;
test.after(() => service.stop());
test.before.each(() => {
  time.now = NOON;
});

const running = new Set<() => Promise<void>>();
test.after.each(async () => {
  for (const stop of running) await stop();
});

const handleOf = (): Handle => createHandle({ store: stores.main, clock: () => time.now });

/**
 * Starts a process with the reactor. Several processes can be active at the same time if they do not share a
 * coordination store.
 */
const start = (coordination = createMemoryCoordination(), handle = handleOf()) => {
  const logged: string[] = [];
  const stop = startReactor(reactorsOf({ handle, ...stores, readers, statuses }), MAINTENANCE, {
    coordination,
    clock: () => time.now,
    timings: { clockCheck: 5 },
    logged,
  });
  const end = async (): Promise<void> => {
    running.delete(end);
    await stop();
  };
  running.add(end);
  return { logged, held: () => coordination.failedItems.page(MAINTENANCE, { after: null, limit: 10 }), stop: end };
};

const AUTOMATIC = {
  status: 'scheduled',
  scheduled_for: '2026-11-20T20:00:00Z',
  scheduled_until: '2026-11-20T22:00:00Z',
  scheduled_auto_in_progress: true,
  scheduled_auto_completed: true,
  auto_transition_to_maintenance_state: true,
  auto_transition_to_operational_state: true,
};

const aMaintenance = async (more: object = {}) => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const { id } = await page.open({ components: { [api]: 'under_maintenance' }, ...AUTOMATIC, ...more });
  const events = async () => (await stores.main.readStream(`incident-${id}`)).slice(1);
  return {
    page,
    api,
    id,
    /** returns the events of the maintenance, with their times */
    happened: async (): Promise<string[]> =>
      (await events()).map(({ type, data }) => {
        const { changes, changed_at, offset, reminded_at } = data as {
          changes?: { status?: string };
          changed_at?: string;
          offset?: string;
          reminded_at?: string;
        };
        if (type === 'MaintenanceReminded') return `reminded ${offset ?? ''} ${reminded_at?.slice(11, 16) ?? ''}`;
        return changes?.status ? `${changes.status} ${changed_at?.slice(11, 16) ?? ''}` : type;
      }),
    status: async (status: string) => {
      return eventually(async () => {
        const incident = await page.get(id);
        return incident.status === status && incident;
      });
    },
    isListed: async (): Promise<boolean> =>
      (await readers.for({ appended: new Map() })(maintenances).due_maintenances.get(id)) !== null,
  };
};

test('a maintenance is started and completed, with its components, as if by a user', async () => {
  const { page, api, id, status } = await aMaintenance();
  const reactor = start();
  time.now = at('20:00');
  assert.is((await status('in_progress')).incident_updates.length, 1, 'no update is appended');
  assert.is((await page.component(api)).status, 'under_maintenance');
  assert.equal(await page.list('/maintenance?status=in_progress'), [id]);
  assert.equal(await page.list('/maintenance'), []);
  time.now = at('22:00');
  const { resolved_at, updated_at } = await status('completed');
  assert.equal([resolved_at, updated_at], [instant('22:00'), instant('22:00')]);
  assert.is((await page.component(api)).status, 'operational');
  time.now = at('23:59');
  const uptime = await page.uptime(api, '?start=2026-11-20&end=2026-11-20');
  assert.equal([uptime.uptime_percentage, uptime.major_outage], [100, 0]);
  assert.equal(uptime.related_events.id, [id]);
  const query = `/v1/audit?resource_id=${id}&action=incident.updated`;
  const audit = (await request('GET', query, { key: first.keys.admin })).json() as {
    audit_logs: { actor_type: string; actor_id: string; changes: object }[];
  };
  assert.equal(
    audit.audit_logs.map(({ actor_type, actor_id, changes }) => [actor_type, actor_id, changes]),
    [
      [
        'system',
        MAINTENANCE,
        {
          status: { old: 'in_progress', new: 'completed' },
          components: { old: null, new: { [api]: 'operational' } },
        },
      ],
      [
        'system',
        MAINTENANCE,
        {
          status: { old: 'scheduled', new: 'in_progress' },
          components: { old: null, new: { [api]: 'under_maintenance' } },
        },
      ],
    ],
  );
  assert.equal([reactor.logged, await reactor.held()], [[], []]);
});

test('automatic steps that were missed during downtime are executed afterwards with their due times, even if they were due before the activation of the reactor', async () => {
  const { page, api, happened, status } = await aMaintenance();
  // The component is down all the time, but the time within the maintenance does not count as downtime.
  await page.open({ components: { [api]: 'major_outage' } });
  time.now = at('23:00');
  start();
  await status('completed');
  assert.equal(await happened(), ['in_progress 20:00', 'completed 22:00']);
  const { major_outage } = await page.uptime(api, '?start=2026-11-20&end=2026-11-20');
  assert.is(major_outage, 9 * 3_600, 'from 12:00 to 23:00 but two hours');
});

test('two processes repeat no step of a maintenance, whether they run at the same time or the second takes over from the first', async () => {
  const { happened, status } = await aMaintenance({ scheduled_remind_prior: true });
  const mortal: Handle = Object.assign(
    async (...command: Parameters<Handle>) => {
      await handleOf()(...command);
      throw new Error('The process was killed.');
    },
    { load: handleOf().load },
  ) as Handle;
  const crash = start(createMemoryCoordination(), mortal);
  time.now = at('19:00');
  await eventually(async () => (await happened()).length === 1);
  await crash.stop();
  const rivals = [start(), start(), start()];
  time.now = at('20:00');
  await status('in_progress');
  time.now = at('22:00');
  await status('completed');
  for (const rival of rivals) await rival.stop();
  const next = start();
  await shortPause();
  await next.stop();
  assert.equal(await happened(), ['reminded 60m 19:00', 'in_progress 20:00', 'completed 22:00']);
});

test('no step is repeated or lost when the clock is set back or forward by an hour', async () => {
  const { happened, status, page, id } = await aMaintenance({
    scheduled_remind_prior: true,
    reminder_intervals: '2h, 30m',
  });
  const reactor = start();
  time.now = at('18:05');
  await eventually(async () => (await happened()).length === 1);
  time.now -= HOUR_MS;
  await shortPause();
  assert.is((await page.get(id)).scheduled_reminded_at, instant('18:05'));
  time.now = at('19:05');
  time.now += HOUR_MS;
  await status('in_progress');
  time.now -= HOUR_MS;
  await shortPause();
  time.now = at('20:30');
  await shortPause();
  time.now = at('21:30');
  time.now += HOUR_MS;
  await status('completed');
  time.now -= HOUR_MS;
  await shortPause();
  time.now = at('23:30');
  await shortPause();
  assert.equal(await happened(), [
    'reminded 2h 18:05',
    'MaintenanceReminderMissed',
    'in_progress 20:00',
    'completed 22:00',
  ]);
  assert.equal(reactor.logged, []);
});

test('a starting maintenance sets its components although their previous statuses were recorded by a clock that was ahead', async () => {
  const { page, api, status } = await aMaintenance();
  time.now = at('20:40');
  await page.set(api, 'partial_outage');
  time.now = at('19:50');
  start();
  time.now = at('20:00');
  await status('in_progress');
  await eventually(async () => (await page.component(api)).status === 'under_maintenance');
});

test('a user’s change after a missed automatic step stays in effect', async () => {
  const { page, api, happened, status } = await aMaintenance();
  time.now = at('23:00');
  await page.set(api, 'major_outage');
  start();
  await status('completed');
  assert.equal(await happened(), ['in_progress 20:00', 'completed 22:00']);
  assert.is((await page.component(api)).status, 'major_outage', 'said at 23:00');
});

test('the reactor follows changes by users: a new schedule, an early end, a delayed start', async () => {
  const moved = await aMaintenance();
  const ended = await aMaintenance();
  const putBack = await aMaintenance();
  start();
  await moved.page.change(moved.id, { scheduled_for: '2026-11-20T21:00:00Z' });
  time.now = at('20:10');
  await putBack.status('in_progress');
  await ended.status('in_progress');
  await putBack.page.change(putBack.id, { status: 'scheduled' });
  await ended.page.change(ended.id, { status: 'completed' });
  assert.is((await moved.page.get(moved.id)).status, 'scheduled');
  time.now = at('21:00');
  await moved.status('in_progress');
  time.now = at('22:10');
  await moved.status('completed');
  assert.equal(await ended.happened(), ['in_progress 20:00', 'completed 20:10']);
  assert.equal(await putBack.happened(), ['in_progress 20:00', 'scheduled 20:10']);
  assert.is(await putBack.isListed(), false);
});

test('a maintenance that was deleted, or whose page was deleted, is skipped without errors', async () => {
  const gone = await aMaintenance();
  const without = await aMaintenance();
  const reactor = start();
  await request('DELETE', `${gone.page.incidents}/${gone.id}`);
  await request('DELETE', without.page.path);
  time.now = at('23:00');
  const other = await aMaintenance({ scheduled_for: '2026-11-20T22:00:00Z', scheduled_until: '2026-11-20T22:30:00Z' });
  await other.status('completed');
  assert.equal([await gone.happened(), await without.happened()], [['IncidentDeleted'], []]);
  assert.equal([await gone.isListed(), await without.isListed()], [false, false]);
  assert.equal([reactor.logged, await reactor.held()], [[], []]);
});

test('the list of maintenances is read again after a minute if it does not contain the deletion of a page yet', async () => {
  const { page, id, happened } = await aMaintenance();
  const item = await readers.for({ appended: new Map() })(maintenances).due_maintenances.get(id);
  await request('DELETE', page.path);
  const office = createReactorHarness();
  office.now = at('20:00');
  const context = contextOf({ handle: handleOf(), ...stores, readers, statuses });
  const work = maintenance.on(context, {
    todo: office.todo,
    reader: () => ({
      due: async (after) => (item && !isDueUpTo(item, after) ? [item] : []),
      next: async () => null,
      countDue: async () => 1,
      changedBetween: async () => [],
      find: async () => (item ? [item] : []),
    }),
  });
  const { coordination, logged, shift } = office;
  await work.begin(shift());
  await work.round(office.now);
  await work.idle();
  assert.is((await work.round(office.now)).next, office.now + 60_000);
  assert.equal(
    [await coordination.failedItems.page('test', { after: null, limit: 10 }), logged, await happened()],
    [[], [], []],
  );
});

test.run();
