import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { computeHead, verifyHeads } from '../../../cli/audit/heads.ts';
import { headText, type LogHead } from '../../../domain/log/head.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { withDouble } from '../../stores/event-store/eventstoredb/opened-double.ts';
import { exported, mainImported } from '../transfer/moving.ts';
import { eventsIn, fillMain } from '../transfer/samples.ts';
import { openTampering } from './tampering.ts';

const test = suite('the head of a log');

const { signal } = new AbortController();
const head = (log: EventStore): Promise<LogHead> => computeHead({ log, signal });
const verify = (log: EventStore, ...expectedHeads: LogHead[]) => verifyHeads(expectedHeads, { log, signal });

const filled = async (events: number): Promise<EventStore> => {
  const log = createMemoryEventStore('main');
  await fillMain(log, events);
  return log;
};

/**
 * Tampers with a log after computing its heads at 6 and 12 events.
 *
 * @returns the heads, and the result of verifying them
 */
const tampered = async (
  folder: string,
  tamper: (hands: ReturnType<typeof openTampering>) => void,
): Promise<{ found: Awaited<ReturnType<typeof verify>>; heads: LogHead[] }> => {
  const file = join(folder, 'events.db');
  const log = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
  await fillMain(log, 5);
  const first = await head(log);
  for (const event of (await eventsIn(await filled(11))).slice(6)) await log.append(event.stream, [event], 'any');
  const second = await head(log);
  await log.close();
  const hands = openTampering(file);
  tamper(hands);
  hands.close();
  const again = await openSqliteEventStore({ file, name: 'main', mode: 'reader' });
  const found = await verify(again, first, second);
  await again.close();
  return { found, heads: [first, second] };
};

test('the head of a log is a SHA-256 chain over the events that uptrail replay prints, without positions and in RFC 8785 form', async () => {
  const log = await filled(3);
  let hash = Buffer.alloc(32);
  for (const event of await eventsIn(log)) {
    const sorted = JSON.stringify({ ...event, revision: Number(event.revision) }, (_key, value: unknown) =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
    hash = createHash('sha256').update(hash).update(sorted).digest();
  }
  assert.is(headText(await head(log)), `4:${hash.toString('hex')}`);
});

test('the head of a log stays valid while the log only grows', async () => {
  const log = await filled(5);
  const earlier = await head(log);
  assert.equal((await verify(log, earlier)).difference, null);
  for (const event of (await eventsIn(await filled(9))).slice(6)) await log.append(event.stream, [event], 'any');
  const { head: now, difference } = await verify(log, earlier);
  assert.is(difference, null);
  assert.is(now && headText(now), headText(await head(log)));
  assert.is(now?.events, 10);
});

test(
  'the head of a log stays valid when the log is moved to another store',
  inTemporaryFolder(async (folder) => {
    const log = await filled(20);
    const exportedHead = await head(log);
    await exported(log, folder);
    const target = await openSqliteEventStore({ file: join(folder, 'to.db'), name: 'main', mode: 'appender' });
    await mainImported(folder, target);
    assert.equal((await verify(target, exportedHead)).difference, null);
    assert.is(headText(await head(target)), headText(await head(log)));
    await target.close();
  }),
);

test(
  'the head of a log stays valid when the log is moved to EventStoreDB',
  withDouble(({ main }) =>
    inTemporaryFolder(async (folder) => {
      const log = await filled(20);
      await exported(log, folder);
      const headBefore = await head(log);
      await mainImported(folder, main);
      assert.equal((await verify(main, headBefore)).difference, null);
    })(),
  ),
);

test(
  'the heads of an unchanged log are valid',
  inTemporaryFolder(async (folder) => {
    assert.is((await tampered(folder, () => undefined)).found.difference, null);
  }),
);

test(
  'verification of a log detects a changed event with a valid checksum, and names the heads before and after it',
  inTemporaryFolder(async (folder) => {
    const { found, heads } = await tampered(folder, (hands) => {
      hands.change(9, { data: hands.dataAt(9).replace(/"check_id":"\d+"/, '"check_id":"99"') });
    });
    const { kind, sound, up_to, sentence } = found.difference ?? {};
    assert.equal([kind, sound, up_to], ['changed', 6, 12]);
    assert.match(sentence ?? '', /^The log main does not match this head: one of its events 7 to 12 was changed/);
    assert.match(sentence ?? '', headText(heads[1] as LogHead));
  }),
);

test(
  'verification of a log detects two swapped events',
  inTemporaryFolder(async (folder) => {
    const { found } = await tampered(folder, (hands) => {
      hands.swap(2, 5);
    });
    assert.equal([found.difference?.kind, found.difference?.up_to], ['changed', 6]);
    assert.match(found.difference?.sentence ?? '', 'one of its first 6 events');
  }),
);

test(
  'verification of a log detects a removed event even if the events after it were renumbered',
  inTemporaryFolder(async (folder) => {
    const { found } = await tampered(folder, (hands) => {
      hands.remove(8);
    });
    assert.equal([found.difference?.kind, found.difference?.up_to], ['short', 12]);
    assert.match(
      found.difference?.sentence ?? '',
      'has only 11 events, but this head covers 12: some after its first 6',
    );
  }),
);

test(
  'verification of a log detects a damaged row and names its event',
  inTemporaryFolder(async (folder) => {
    const { found } = await tampered(folder, (hands) => {
      hands.damage(10);
    });
    assert.equal([found.difference?.kind, found.difference?.up_to], ['damaged', 10]);
    assert.match(found.difference?.sentence ?? '', /^Event 10 of the log main is unreadable: .*events\.db/);
  }),
);

test.run();
