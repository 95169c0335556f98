import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { computeHead } from '../../../cli/audit/heads.ts';
import { headText } from '../../../domain/log/head.ts';
import { startLogHeads } from '../../../service/logs/log-heads.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { LOG_HEAD } from '../../../stores/coordination/port.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { fillMain } from '../../cli/transfer/samples.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the daily line in the process log with the head of the main log');

const DAY_1 = Date.parse('2026-11-20T17:00:00Z');
const DAY_2 = Date.parse('2026-11-21T00:10:00Z');

const filled = async (events: number): Promise<EventStore> => {
  const log = createMemoryEventStore('main');
  await fillMain(log, events);
  return log;
};
const headNow = async (log: EventStore): Promise<string> =>
  headText(await computeHead({ log, signal: new AbortController().signal }));

/**
 * Returns a function that starts the daily line on a log, the heads that the newest start has logged, and the number of
 * events that this start has read.
 */
const teller = (coordination = createMemoryCoordination()) => {
  const logged: string[] = [];
  const warned: unknown[] = [];
  let read = 0;
  const start = async (log: EventStore, now: number, done = () => logged.length > 0): Promise<void> => {
    logged.length = 0;
    read = 0;
    const counted: EventStore = {
      ...log,
      readAll: async (options) => {
        const page = await log.readAll(options);
        read += page.length;
        return page;
      },
    };
    const logger = {
      info: ({ head }: { head: string }) => void logged.push(head),
      warn: (...words: unknown[]) => void warned.push(words.at(-1)),
    };
    const stop = startLogHeads({ log: counted, coordination, clock: () => now, logger: logger as never, pause: 0 });
    await eventually(done);
    await stop();
  };
  return { start, logged, warned, coordination, read: () => read };
};

test('the daily line contains the same head as the command `uptrail audit head`, and the next day’s head is computed from the stored head', async () => {
  const { start, logged, read } = teller();
  const log = await filled(250);
  await start(log, DAY_1);
  assert.equal(logged, [await headNow(log)]);
  assert.is(read(), 251);
  const event = (await log.readAll({ after: 0n })).at(-1);
  if (!event) throw new Error('an empty log');
  await log.append('check-further', [{ ...event, id: '11111111-1111-4111-8111-111111111111' }], 'any');
  await start(log, DAY_2);
  assert.equal(logged, [await headNow(log)]);
  assert.is(read(), 2);
});

test('the head of the main log is written to the process log only once a day, even after a restart', async () => {
  const { start, logged, coordination } = teller();
  const log = await filled(5);
  await start(log, DAY_1);
  const storedHead = await coordination.read(LOG_HEAD);
  await start(log, DAY_1 + 3_600_000, () => true);
  assert.equal(logged, []);
  assert.is(await coordination.read(LOG_HEAD), storedHead);
});

test('the head of the main log is computed from the beginning if the stored head belongs to a different log', async () => {
  const { start, logged, warned } = teller();
  await start(await filled(20), DAY_1);
  for (const [index, other] of [await filled(30), await filled(10)].entries()) {
    await start(other, DAY_2 + index * 86_400_000);
    assert.equal(logged, [await headNow(other)]);
    assert.is(warned.length, index + 1);
  }
});

test.run();
