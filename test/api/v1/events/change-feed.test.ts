import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChangeFeed, type ChangeFeedOptions } from '../../../../api/v1/events/change-feed.ts';
import { markOf, type LogPosition } from '../../../../api/v1/events/position-tokens.ts';
import { systemEvent } from '../../../../domain/system-event.ts';
import type { Instant } from '../../../../domain/time.ts';
import { createMemoryEventStore } from '../../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('the change feed');

const NOW = '2026-11-20T15:00:00' as Instant;

/** Appends the deletion of a check. @returns the position of the event */
const append = async (log: EventStore, check_id: string, organizationId = 'acme'): Promise<LogPosition> => {
  const id = randomUUID();
  const event = systemEvent({ type: 'CheckDeleted', data: { check_id } }, { id, by: 'test', organizationId, now: NOW });
  const { position } = await log.append(`check-${check_id}`, [event], 'any');
  return { position, mark: markOf(id) };
};

const feeding = async (
  log: EventStore,
  from: bigint,
  options: Partial<ChangeFeedOptions> = {},
  use: (feed: ReturnType<typeof createChangeFeed>, received: string[]) => Promise<void>,
): Promise<void> => {
  const received: string[] = [];
  const feed = createChangeFeed({
    main: log,
    from,
    onEvent: (_event, changes) => received.push(...changes.map(({ id }) => id)),
    onFailure: () => {
      assert.unreachable();
    },
    ...options,
  });
  try {
    await feed.started;
    await use(feed, received);
  } finally {
    feed.stop();
    await log.close();
  }
};

const idsOf = (changes: readonly { id: string }[] | null): string[] | null => changes && changes.map(({ id }) => id);

test('the change feed contains events appended after its start', async () => {
  const log = createMemoryEventStore('main');
  const { position } = await append(log, 'a');
  await feeding(log, position, {}, async (feed, received) => {
    const last = await append(log, 'b');
    await append(log, 'c', 'other');
    await eventually(() => received.length === 2);
    assert.equal(received, ['b', 'c']);
    assert.equal(idsOf(await feed.changesSince('acme', last)), []);
  });
});

test('the change feed reads earlier events from the log only once for all clients that reconnect', async () => {
  const log = createMemoryEventStore('main');
  const before = await append(log, 'a');
  const middle = await append(log, 'b');
  await append(log, 'c', 'other');
  const { position } = await append(log, 'd');
  let reads = 0;
  const readAll: EventStore['readAll'] = (options) => {
    reads += 1;
    return log.readAll(options);
  };
  await feeding({ ...log, readAll }, position, {}, async (feed) => {
    assert.equal(idsOf(await feed.changesSince('acme', before)), ['b', 'd']);
    const after = reads;
    assert.equal(idsOf(await feed.changesSince('acme', middle)), ['d']);
    assert.equal(idsOf(await feed.changesSince('acme', before)), ['b', 'd']);
    assert.equal(idsOf(await feed.changesSince('other', middle)), ['c']);
    assert.is(reads, after);
  });
});

test('the change feed refuses positions that are too far back, and reads the log for such a position only once', async () => {
  const log = createMemoryEventStore('main');
  const places: LogPosition[] = [];
  for (let index = 0; index < 8; index++) places.push(await append(log, `check${index}`));
  const [oldest, , , , , recent, , newest] = places;
  let reads = 0;
  const readAll: EventStore['readAll'] = (options) => {
    reads += 1;
    return log.readAll(options);
  };
  await feeding({ ...log, readAll }, newest?.position ?? 0n, { maxRemembered: 5 }, async (feed, received) => {
    assert.is(await feed.changesSince('acme', oldest as LogPosition), null);
    const after = reads;
    assert.is(await feed.changesSince('acme', oldest as LogPosition), null);
    assert.is(reads, after);
    assert.equal(idsOf(await feed.changesSince('acme', recent as LogPosition)), ['check6', 'check7']);
    for (let index = 0; index < 8; index++) await append(log, `later${index}`);
    await eventually(() => received.length === 8);
    assert.is(await feed.changesSince('acme', recent as LogPosition), null);
  });
});

test('the change feed refuses positions of a different log, such as a restored copy', async () => {
  const log = createMemoryEventStore('main');
  const first = await append(log, 'a');
  const last = await append(log, 'b');
  await feeding(log, last.position, {}, async (feed) => {
    assert.is(await feed.changesSince('acme', { ...first, mark: first.mark + 1 }), null);
    assert.is(await feed.changesSince('acme', { position: last.position + 1_000n, mark: 1 }), null);
    assert.equal(idsOf(await feed.changesSince('acme', first)), ['b']);
  });
});

test('the change feed reports that the log cannot be followed any more', async () => {
  const log = createMemoryEventStore('main');
  const { position } = await append(log, 'a');
  const failures: unknown[] = [];
  const subscribe: EventStore['subscribe'] = () => {
    throw new Error('damaged');
  };
  const options = { onFailure: (error: unknown) => failures.push(error) };
  await feeding({ ...log, subscribe }, position, options, async () => {
    await eventually(() => failures.length === 1);
  });
});

test.run();
