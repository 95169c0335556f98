import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLastUses } from '../../api/last-uses.ts';
import { instantOf } from '../../domain/time.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import type { Entries } from '../../stores/coordination/port.ts';
import { eventually } from '../waiting.ts';

const test = suite('last uses of API keys');

const ROUND = 1;

const opened = (putAll?: Entries['putAll']) => {
  const { entries } = createMemoryCoordination();
  const time = { now: 1_000_000 };
  const writes: string[][] = [];
  const troubles: unknown[] = [];
  const uses = createLastUses({
    entries: {
      ...entries,
      putAll: async (kind, put) => {
        writes.push(put.map(({ id }) => id));
        await (putAll ?? entries.putAll)(kind, put);
      },
    },
    clock: () => time.now,
    onFailure: (error) => troubles.push(error),
    batchInterval: ROUND,
  });
  const note = (keyId: string | null) => {
    uses.record({ keyId, organizationId: 'acme' });
  };
  return { uses, note, time, writes, troubles, entries };
};

test('last uses are stored in batches, and for each key at most once a minute', async () => {
  const { uses, note, time, writes, entries } = opened();
  for (const key of ['a', 'b', 'a', null]) note(key);
  await eventually(() => writes.length > 0);
  assert.equal(writes, [['a', 'b']]);
  time.now += 20_000;
  note('a');
  // The batch that stores this key omits the key that was stored less than a minute ago.
  note('c');
  await eventually(() => writes.length > 1);
  assert.equal(writes, [['a', 'b'], ['c']]);
  assert.equal(
    [...(await uses.of(['a', 'b', 'never']))],
    [
      ['a', instantOf(1_020_000)],
      ['b', instantOf(1_000_000)],
    ],
  );
  time.now += 38_000;
  await eventually(() => writes.length > 2);
  assert.equal(writes, [['a', 'b'], ['c'], ['a']]);
  assert.is((await entries.find('last_use', ['a'], 0))[0]?.value, JSON.stringify({ at: instantOf(1_020_000) }));
  assert.equal([...(await uses.of(['b'])).keys()], ['b']);
  await uses.stop();
});

test('last uses are retained while the store refuses them, and are stored at shutdown at the latest', async () => {
  let isDown = true;
  const stored: string[] = [];
  const { uses, note, troubles } = opened(async (_, put) => {
    if (isDown) throw new Error('The store is down.');
    stored.push(...put.map(({ id }) => id));
  });
  note('a');
  await eventually(() => troubles.length > 0);
  assert.is((await uses.of(['a'])).size, 1);
  isDown = false;
  await uses.stop();
  assert.ok(stored.includes('a'));
});

test('last uses do not block requests while the store does not respond', () => {
  const { note, writes } = opened(() => new Promise(() => undefined));
  for (let index = 0; index < 1_000; index++) note(`key ${index}`);
  assert.is(writes.length, 0);
});

test.run();
