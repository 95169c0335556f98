import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replay, type ReplayOptions } from '../../../cli/replay/replay.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { forgetfulStore } from '../../stores/event-store/forgetful-store.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { recorded } from '../../projections/history.ts';
import { collectLines } from '../../service/lines.ts';

const facts = recorded([
  { type: 'OrganizationCreated', data: { organization_id: 'acme', name: 'Acme' } },
  { type: 'CheckDeleted', data: { check_id: 'one' } },
  { type: 'CheckDeleted', data: { check_id: 'two' } },
  { type: 'PageDeleted', data: { page_id: 'one', deleted_at: '2026-11-20T15:00:00.000000' } },
]);

const storeWithFacts = async () => {
  const store = createMemoryEventStore('main');
  for (const { stream, id, type, data, metadata } of facts) {
    await store.append(stream, [{ id, type, data, metadata }], 'any');
  }
  return store;
};

const replayed = async (options: Partial<ReplayOptions>) => {
  const store = await storeWithFacts();
  const output = collectLines();
  const { signal } = new AbortController();
  await replay(store, { from: 0n, types: [], follow: false, raw: false, signal, ...options }, output);
  await store.close();
  return output.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

const test = suite('uptrail replay');

test('uptrail replay writes every event as one line of JSON, in the order of the log', async () => {
  const events = await replayed({});
  assert.equal(
    events.map(({ stream }) => stream),
    ['organization-acme', 'check-one', 'check-two', 'page-one'],
  );
  const [first] = events;
  assert.equal(Object.keys(first ?? {}), ['position', 'stream', 'revision', 'id', 'type', 'data', 'metadata']);
  assert.is(first?.['revision'], 0);
  assert.equal(first?.['data'], { organization_id: 'acme', name: 'Acme' });
});

test('uptrail replay --from starts with the event at the given position', async () => {
  const [, second] = await replayed({});
  const events = await replayed({ from: BigInt(second?.['position'] as number) });
  assert.equal(
    events.map(({ stream }) => stream),
    ['check-one', 'check-two', 'page-one'],
  );
});

test('uptrail replay can be limited to event types or to one stream', async () => {
  const types = await replayed({ types: ['PageDeleted', 'OrganizationCreated'] });
  assert.equal(
    types.map(({ type }) => type),
    ['OrganizationCreated', 'PageDeleted'],
  );
  const stream = await replayed({ stream: 'check-two' });
  assert.equal(
    stream.map(({ data }) => data),
    [{ check_id: 'two' }],
  );
});

test('uptrail replay --follow follows the log until it is stopped', async () => {
  const store = await storeWithFacts();
  const output = collectLines();
  const stop = new AbortController();
  const following = replay(
    store,
    { from: 0n, types: ['LogMarked'], follow: true, raw: false, signal: stop.signal },
    {
      ...output,
      line: async (text) => {
        await output.line(text);
        stop.abort();
      },
    },
  );
  const [event] = facts;
  if (!event) throw new Error('no fact');
  const mark = { ...event, id: '00000000-0000-4000-8000-00000000000f', type: 'LogMarked', data: { mark: 'now' } };
  await store.append('log-main', [mark], 'any');
  await following;
  assert.is(output.lines.length, 1);
  assert.match(output.lines[0] ?? '', '"mark":"now"');
  await store.close();
});

test('uptrail replay leaves out repeated events of the results log unless --raw is set', async () => {
  const store = forgetfulStore(createMemoryEventStore('results'));
  const [one, two] = ['one', 'two'].map((check) => resultOf(check));
  assert.ok(one && two);
  for (const result of [one, two, one]) await store.append('check_results-eu-west1', [result], 'any');
  const shown = async (raw: boolean): Promise<unknown[]> => {
    const output = collectLines();
    const { signal } = new AbortController();
    await replay(store, { from: 0n, types: [], follow: false, raw, signal }, output);
    return output.lines.map((line) => (JSON.parse(line) as { data: { check_id: string } }).data.check_id);
  };
  assert.equal(await shown(false), ['one', 'two']);
  assert.equal(await shown(true), ['one', 'two', 'one']);
});

test.run();
