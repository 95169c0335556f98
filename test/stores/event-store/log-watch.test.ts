import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markLog } from '../../../projections/engine/feed/log-marks.ts';
import { watchLog } from '../../../stores/event-store/log-watch.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { StoreUnavailable, type EventStore, type LogWatch } from '../../../stores/event-store/port.ts';
import { eventually } from '../../waiting.ts';

const test = suite('a log watch');

const watch = async (change: (log: EventStore) => Partial<EventStore> = () => ({})) => {
  const log = createMemoryEventStore('results');
  await openLogIdentity(log);
  const failures: string[] = [];
  let subscriptions = 0;
  const subscribe: EventStore['subscribe'] = (options) => {
    subscriptions += 1;
    return log.subscribe(options);
  };
  const changed = { ...log, subscribe, ...change({ ...log, subscribe }) };
  const watched = watchLog({
    log: changed,
    end: () => markLog(changed, Date.now()),
    categories: ['check_results'],
    failed: (error) => failures.push(String(error)),
    retry: 1,
  });
  return { log, watched, failures, subscriptions: () => subscriptions };
};

const store = async (log: EventStore, stream: string): Promise<void> => {
  const metadata = { command_id: 'c', organization_id: 'o' };
  await log.append(stream, [{ id: randomUUID(), type: stream, data: {}, metadata }] as never, 'any');
};

/**
 * Listens to the log watch, and stores events until the watch reports one. Only such a report shows that the watch
 * follows the log.
 */
const listenAndWait = async (
  log: EventStore,
  watched: LogWatch,
  stream = 'check_results-a',
): Promise<() => Promise<void>> => {
  let tell: () => void = () => undefined;
  const reported = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const end = watched.listen(tell);
  const storing = setInterval(() => void store(log, stream), 2);
  await reported;
  clearInterval(storing);
  return end;
};

test('a log watch reports every new event to all listeners, over one subscription', async () => {
  const { log, watched, subscriptions } = await watch();
  const first = await listenAndWait(log, watched);
  const second = await listenAndWait(log, watched);
  assert.is(subscriptions(), 1);
  await first();
  const third = await listenAndWait(log, watched);
  assert.is(subscriptions(), 1);
  await Promise.all([second(), third()]);
});

test('a log watch reports only the given categories', async () => {
  const { log, watched } = await watch();
  const types: string[] = [];
  const end = await listenAndWait(log, watched);
  const endOwn = watched.listen((events) => types.push(...events.map(({ type }) => type)));
  await store(log, 'execution_groups-00');
  await store(log, 'check_results-b');
  await eventually(() => types.includes('check_results-b'));
  assert.not(types.includes('execution_groups-00'));
  await Promise.all([end(), endOwn()]);
});

test('a log watch has no subscription while there are no listeners', async () => {
  const { log, watched, subscriptions } = await watch();
  assert.is(subscriptions(), 0);
  await (
    await listenAndWait(log, watched)
  )();
  let reports = 0;
  const again = await listenAndWait(log, watched);
  assert.is(subscriptions(), 2);
  await again();
  const end = watched.listen(() => (reports += 1));
  await end();
  await store(log, 'check_results-a');
  assert.is(reports, 0);
});

test('a log watch follows the log even if the log was unavailable at first', async () => {
  let refusals = 2;
  const { log, watched, failures } = await watch((log) => ({
    append: async (...given) => {
      if (refusals-- > 0) throw new StoreUnavailable('EventStoreDB is not available.');
      return log.append(...given);
    },
  }));
  await (
    await listenAndWait(log, watched)
  )();
  assert.is(failures.length, 2);
});

test('a log watch resumes after its subscription ended', async () => {
  let ends = 1;
  const { log, watched, failures } = await watch((log) => ({
    async *subscribe(options) {
      for await (const events of log.subscribe(options)) {
        if (ends-- > 0) throw new Error('It can not be read.');
        yield events;
      }
    },
  }));
  await (
    await listenAndWait(log, watched)
  )();
  assert.equal(failures, ['Error: It can not be read.']);
});

test.run();
