import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OperatorError } from '../../../service/operator-error.ts';
import { readEvent } from '../../../cli/transfer/format.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { rejects } from '../../rejects.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { exported, failingOnce, fileIn, mainImported } from './moving.ts';
import { eventsIn, fillMain, fillResults } from './samples.ts';

const EVENTS = 40;

const filled = async (events = EVENTS) => {
  const log = createMemoryEventStore('main');
  await fillMain(log, events);
  return log;
};

const test = suite('moving a main log');

test(
  'a main log has the same events in the same order after moves from SQLite to memory and back to SQLite',
  inTemporaryFolder(async (folder) => {
    const open = (name: string) => openSqliteEventStore({ file: join(folder, name), name: 'main', mode: 'appender' });
    const first = await open('first.db');
    await fillMain(first, EVENTS);
    await exported(first, folder);
    const there = await eventsIn(first);
    await first.close();
    assert.is(there.length, EVENTS + 2); // includes the id of the log, and the marker event that the export has appended

    const memory = createMemoryEventStore('main');
    assert.equal(await mainImported(folder, memory), { events: EVENTS + 2, added: EVENTS + 2 });
    assert.equal(await eventsIn(memory), there);
    const second = join(folder, 'second');
    mkdirSync(second);
    await exported(memory, second);

    const last = await open('last.db');
    await mainImported(second, last);
    assert.equal(await eventsIn(last), await eventsIn(memory));
    assert.equal((await eventsIn(last)).slice(0, there.length), there);
    await last.close();
  }),
);

test(
  'an import stores adjacent events of one stream with one append',
  inTemporaryFolder(async (folder) => {
    await exported(await filled(), folder);
    const target = createMemoryEventStore('main');
    const appends: string[][] = [];
    const counting: typeof target = {
      ...target,
      append: async (stream, events, expected) => {
        appends.push(events.map(({ type }) => type));
        return target.append(stream, events, expected);
      },
    };
    await mainImported(folder, counting);
    assert.equal(appends.slice(0, 4), [
      ['LogOpened'],
      ['CheckCreated'],
      ['CheckCreated', 'CheckDeleted'],
      ['CheckCreated'],
    ]);
  }),
);

test(
  'an import of a main log continues after an interruption at any append, whether or not that append was stored',
  inTemporaryFolder(async (folder) => {
    const source = await filled(12);
    await exported(source, folder);
    const all = await eventsIn(source);
    for (const how of ['refused', 'answer lost'] as const) {
      for (let at = 0, failed = true; failed; at++) {
        const target = createMemoryEventStore('main');
        failed = await mainImported(folder, failingOnce(target, at, how)).then(
          () => false,
          (error: unknown) => {
            assert.instance(error, OperatorError);
            assert.match((error as Error).message, 'Run the same command again to continue.');
            return true;
          },
        );
        const { length } = await eventsIn(target);
        assert.equal(await mainImported(folder, target), { events: all.length, added: all.length - length });
        assert.equal(await eventsIn(target), all);
        assert.ok(failed || at > 8, 'every append has failed once');
      }
    }
  }),
);

test(
  'an interrupted import ends with an error message, and the same command continues it',
  inTemporaryFolder(async (folder) => {
    const source = await filled();
    await exported(source, folder);
    const target = createMemoryEventStore('main');
    const stop = new AbortController();
    const stopping: typeof target = {
      ...target,
      append: async (...append) => {
        if (append[0] === 'check-5') stop.abort();
        return target.append(...append);
      },
    };
    await rejects(
      mainImported(folder, stopping, stop.signal),
      OperatorError,
      /^Interrupted\. Run the same command again/,
    );
    const { length } = await eventsIn(target);
    assert.ok(length > 5 && length < EVENTS);
    await mainImported(folder, target);
    assert.equal(await eventsIn(target), await eventsIn(source));
    assert.is((await mainImported(folder, target)).added, 0);
  }),
);

test(
  'an import rejects a log of another origin, and does not change it',
  inTemporaryFolder(async (folder) => {
    await exported(await filled(), folder);
    const started = createMemoryEventStore('main');
    await openLogIdentity(started);
    await rejects(mainImported(folder, started), OperatorError, /^The log main is not empty: .* before the service/);
    assert.is((await eventsIn(started)).length, 1);
  }),
);

test(
  'a repeated import rejects a log that was used after the first import, and does not change it',
  inTemporaryFolder(async (folder) => {
    const source = await filled();
    await exported(source, folder);
    const target = createMemoryEventStore('main');
    await mainImported(folder, target);
    const [, some] = await source.readAll({ after: 0n, limit: 2 });
    if (!some) throw new Error('no event');
    const { data, metadata } = some;
    await target.append(
      'check-new',
      [{ id: '00000000-0000-4000-8000-0000000000aa', type: 'CheckCreated', data, metadata }],
      'no_stream',
    );
    const before = await eventsIn(target);
    assert.is((await mainImported(folder, target)).added, 0);

    await exported(source, folder);
    await rejects(mainImported(folder, target), OperatorError, /differs after 42 events: it was used/);
    assert.equal(await eventsIn(target), before);
  }),
);

test(
  'an import ends if another process writes to the log, so that imported and other events are not mixed',
  inTemporaryFolder(async (folder) => {
    const source = await filled();
    await exported(source, folder);
    const target = createMemoryEventStore('main');
    const beside: typeof target = {
      ...target,
      append: async (stream, events, expected) => {
        const [event] = events;
        if (stream === 'check-9' && event) {
          await target.append(stream, [{ ...event, id: '00000000-0000-4000-8000-0000000000aa' }], 'no_stream');
        }
        return target.append(stream, events, expected);
      },
    };
    await rejects(
      mainImported(folder, beside),
      OperatorError,
      /^Stream check-9 is at .* Another process wrote to the log main/,
    );
    await rejects(mainImported(folder, target), OperatorError, /differs after/);
  }),
);

test(
  'an export that was interrupted at any byte can be continued, and then contains the whole log',
  inTemporaryFolder(async (folder) => {
    const source = await filled(6);
    const file = await exported(source, folder);
    const { size } = statSync(file);
    for (let length = size - 1; length >= 0; length -= 97) {
      truncateSync(file, length);
      await rejects(mainImported(folder, createMemoryEventStore('main')), OperatorError);
      await exported(source, folder);
      const target = createMemoryEventStore('main');
      await mainImported(folder, target);
      assert.equal(await eventsIn(target), await eventsIn(source));
    }
  }),
);

test(
  'a repeated export only adds new events to the file',
  inTemporaryFolder(async (folder) => {
    const source = await filled(6);
    const file = await exported(source, folder);
    const before = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, -1);
    await exported(source, folder);
    const after = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.equal(after.slice(0, before.length), before);
    assert.equal(
      after.slice(before.length, -1).map((line) => readEvent(Buffer.from(line))?.type),
      ['LogMarked'],
    );
    // Only its owner may read the file.
    assert.is(statSync(file).mode & 0o777, 0o600);
  }),
);

test(
  'an interrupted export ends with an error message, and the same command continues it',
  inTemporaryFolder(async (folder) => {
    const source = await filled(2_500);
    const stop = new AbortController();
    let pages = 0;
    const stopping: typeof source = {
      ...source,
      readAll: async (options) => {
        if (options.limit === 1_000 && ++pages === 2) stop.abort();
        return source.readAll(options);
      },
    };
    await rejects(
      exported(stopping, folder, source, stop.signal),
      OperatorError,
      /^Interrupted\. Run the same command again/,
    );
    await rejects(
      mainImported(folder, createMemoryEventStore('main')),
      OperatorError,
      /is incomplete\. Run the export again/,
    );
    await exported(source, folder);
    const target = createMemoryEventStore('main');
    await mainImported(folder, target);
    assert.equal(await eventsIn(target), await eventsIn(source));
  }),
);

test(
  'an export refuses to continue a file that belongs to another log or to a restored copy of the log',
  inTemporaryFolder(async (folder) => {
    const source = await filled(6);
    const file = await exported(source, folder);
    const before = readFileSync(file);
    await rejects(exported(await filled(6), folder), OperatorError, /contains a different log, from another service/);
    assert.equal(readFileSync(file), before);

    const older = createMemoryEventStore('main');
    const [first, ...rest] = await source.readAll({ after: 0n, limit: 4 });
    if (!first) throw new Error('no event');
    for (const { stream, id, type, data, metadata } of [first, ...rest])
      await older.append(stream, [{ id, type, data, metadata }], 'any');
    await rejects(
      exported(older, folder),
      OperatorError,
      /belongs to a different store of this log, or the store was restored/,
    );
  }),
);

test(
  'an import detects any changed byte in the file before it stores an event',
  inTemporaryFolder(async (folder) => {
    const file = await exported(await filled(6), folder);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 61) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      const target = createMemoryEventStore('main');
      await rejects(mainImported(folder, target), OperatorError);
      assert.is((await eventsIn(target)).length, 0);
    }
  }),
);

test(
  'an import detects missing and duplicated lines, and lines after the end',
  inTemporaryFolder(async (folder) => {
    const file = await exported(await filled(6), folder);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const refused = async (changed: readonly string[], message: RegExp): Promise<void> => {
      writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
      await rejects(mainImported(folder, createMemoryEventStore('main')), OperatorError, message);
    };
    await refused(lines.toSpliced(3, 1), /is damaged: its checksum does not match/);
    await refused(lines.toSpliced(3, 0, lines[3] ?? ''), /is damaged: its checksum does not match/);
    await refused([...lines, lines[3] ?? ''], /contains data after its end/);
    writeFileSync(file, `${lines.join('\n')}\n{"position":99`);
    await rejects(mainImported(folder, createMemoryEventStore('main')), OperatorError, /contains data after its end/);
    await refused(lines.slice(0, -1), /is incomplete/);
    await refused([], /is not an exported log/);
  }),
);

test(
  'an import rejects a file of another kind',
  inTemporaryFolder(async (folder) => {
    const target = createMemoryEventStore('main');
    const file = fileIn(folder, 'main');
    await rejects(mainImported(folder, target), OperatorError, /main\.jsonl does not exist\.$/);
    for (const text of ['', 'PK\u0003\u0004 and so on', '{}\n', '[]\n{"position":1}\n']) {
      writeFileSync(file, text);
      await rejects(mainImported(folder, target), OperatorError, /is not an exported log of Uptrail\.$/);
    }
    writeFileSync(file, 'x'.repeat(20_000_000));
    await rejects(mainImported(folder, target), OperatorError, /is not an exported log of Uptrail\.$/);
    writeFileSync(file, '{"uptrail":"log","format":2,"log":"main"}\n');
    await rejects(mainImported(folder, target), OperatorError, /was written by a newer release/);

    const results = createMemoryEventStore('results');
    await fillResults(results, []);
    writeFileSync(file, readFileSync(await exported(results, folder)));
    await rejects(mainImported(folder, target), OperatorError, /contains the log results, not the log main\.$/);
    assert.is((await eventsIn(target)).length, 0);
  }),
);

test(
  'an import rejects events that this release does not know before it stores any event',
  inTemporaryFolder(async (folder) => {
    const source = await filled(2);
    const [, some] = await source.readAll({ after: 0n, limit: 2 });
    if (!some) throw new Error('no event');
    const { data, metadata } = some;
    const newer = { ...metadata, schema_version: 99 };
    await source.append(
      'check-0',
      [{ id: '00000000-0000-4000-8000-0000000000aa', type: 'CheckUpdated', data, metadata: newer }],
      'any',
    );
    await exported(source, folder);
    const target = createMemoryEventStore('main');
    await rejects(
      mainImported(folder, target),
      OperatorError,
      /contains the event CheckUpdated, version 99, which this release does not know/,
    );
    assert.is((await eventsIn(target)).length, 0);
  }),
);

test.run();
