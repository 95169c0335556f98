import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keepRecordingReception, readReception } from '../../../reactors/heartbeats/reception.ts';
import { eventually, realPause } from '../../waiting.ts';

const test = suite('the record of ping reception');

const NOW = Date.UTC(2026, 8, 12, 14, 30);

test('the reception of pings is recorded immediately and then at intervals, and no further write begins while the store does not respond', async () => {
  let stored: string | null = null;
  let asked = 0;
  const waiting: (() => void)[] = [];
  const coordination = {
    read: async () => {
      if (++asked > 1) await new Promise<void>((resolve) => waiting.push(resolve));
      return stored;
    },
    write: async (_key: string, value: string) => {
      stored = value;
      await Promise.resolve();
    },
  };
  let now = NOW;
  const stop = await keepRecordingReception({
    coordination,
    clock: () => now,
    trouble: () => {
      assert.unreachable();
    },
    every: 1,
  });
  const read = { read: async () => Promise.resolve(stored) };
  assert.equal(await readReception(read), { since: NOW, until: NOW });
  now += 5_000;
  await eventually(() => waiting.length > 0);
  await realPause(20, 'many times the interval between two records');
  assert.is(asked, 2);
  const stopped = stop();
  for (const answer of waiting) answer();
  await stopped;
  assert.is(asked, 2);
  assert.equal(await readReception(read), { since: NOW, until: NOW + 5_000 });
});

test.run();
