import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OperatorError } from '../../../service/operator-error.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { rejects } from '../../rejects.ts';
import { forgetfulStore } from '../../stores/event-store/forgetful-store.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { exported, failingOnce, fileIn, mainImported, resultsImported } from './moving.ts';
import {
  byStream,
  eventsIn,
  fillMain,
  fillResults,
  NOW,
  plainResults,
  storeAgain,
  type SampleResult,
} from './samples.ts';

/**
 * Exports both logs of a service, and returns them with the logs of a second service that has imported the main log.
 */
const prepared = async (folder: string, results: readonly SampleResult[]) => {
  const main = createMemoryEventStore('main');
  const log = createMemoryEventStore('results');
  await fillMain(main, 3);
  await fillResults(log, results);
  await exported(main, folder);
  await exported(log, folder, main);
  const target = { main: createMemoryEventStore('main'), log: createMemoryEventStore('results') };
  await mainImported(folder, target.main);
  return { main, log, target };
};

const numbers = (events: readonly { data: object }[]): number[] =>
  events.flatMap(({ data }) => ('result' in data ? [data.result as number] : []));

const test = suite('moving a results log');

test(
  'a results log has the same events in every stream after moves from SQLite to memory and back to SQLite',
  inTemporaryFolder(async (folder) => {
    const open = (name: string) =>
      openSqliteEventStore({ file: join(folder, name), name: 'results', mode: 'appender' });
    const { main, target } = await prepared(folder, []);
    const first = await open('first.db');
    await fillResults(first, plainResults(700));
    rmSync(fileIn(folder, 'results'));
    await exported(first, folder, main);
    const there = await eventsIn(first);
    await first.close();
    assert.equal(await resultsImported(folder, target), { events: 702, added: 702, repeats: 0 });
    assert.equal(byStream(await eventsIn(target.log)), byStream(there));

    const second = join(folder, 'second');
    mkdirSync(second);
    await exported(target.log, second, main);
    const last = await open('last.db');
    await resultsImported(second, { main, log: last });
    assert.equal(byStream(await eventsIn(last)), byStream(await eventsIn(target.log)));
    await last.close();
  }),
);

test(
  'an import stores many results with each append, and imports regions concurrently',
  inTemporaryFolder(async (folder) => {
    const { target } = await prepared(folder, plainResults(1_400));
    let appends = 0;
    let [open, most] = [0, 0];
    const counting: EventStore = {
      ...target.log,
      append: async (...append) => {
        appends++;
        most = Math.max(most, ++open);
        await Promise.resolve();
        open--;
        return target.log.append(...append);
      },
    };
    await resultsImported(folder, { main: target.main, log: counting });
    assert.is(appends, 5); // one for the id of the log, three for the regions, one for the marker event of the export
    assert.is(most, 3);
  }),
);

test(
  'an import leaves out results past retention',
  inTemporaryFolder(async (folder) => {
    const { target } = await prepared(folder, plainResults(100, NOW));
    const from = instantOf(NOW + 40_000);
    assert.equal(await resultsImported(folder, { ...target, from }), { events: 62, added: 62, repeats: 0 });
    const imported = numbers(await eventsIn(target.log)).sort((a, b) => a - b);
    assert.equal(
      imported,
      Array.from({ length: 60 }, (_, index) => 40 + index),
    );
  }),
);

test(
  'an import stores the start of an execution group before its results, and its end after them',
  inTemporaryFolder(async (folder) => {
    const groups = Array.from({ length: 30 }, (_, number) => `group${number}`);
    const { log, target } = await prepared(
      folder,
      groups.flatMap((group, number): SampleResult[] => {
        const at = NOW + number * 1_000;
        const begun: SampleResult = { stream: 'execution_groups-0', at, group, type: 'ExecutionGroupStarted' };
        const answers = ['a', 'b'].map((region): SampleResult => ({ stream: `check_results-${region}`, at, group }));
        const end: SampleResult = { stream: 'execution_groups-0', at, group, type: 'ExecutionGroupTimedOut' };
        return number % 10 === 9 ? [begun, ...answers, end, ...answers] : [begun, ...answers];
      }),
    );
    await resultsImported(folder, target);
    const [before, after] = [await eventsIn(log), await eventsIn(target.log)];
    assert.equal(byStream(after), byStream(before));
    const kindsOf = (events: typeof before, group: string) =>
      events
        .filter(({ data }) => 'execution_group_id' in data && data.execution_group_id === group)
        .map(({ type }) => type);
    for (const group of groups) assert.equal(kindsOf(after, group), kindsOf(before, group));
  }),
);

test(
  'an import of results continues after an interruption at any append, and stores every result once',
  inTemporaryFolder(async (folder) => {
    const { log, target } = await prepared(folder, plainResults(2_050));
    const all = byStream(await eventsIn(log));
    for (const how of ['refused', 'answer lost'] as const) {
      for (let at = 0, failed = true; failed; at++) {
        rmSync(`${fileIn(folder, 'results')}.imported`, { force: true });
        const into = createMemoryEventStore('results');
        failed = await resultsImported(folder, { main: target.main, log: failingOnce(into, at, how) }).then(
          () => false,
          (error: unknown) => {
            assert.instance(error, OperatorError);
            return true;
          },
        );
        await resultsImported(folder, { main: target.main, log: into });
        assert.equal(byStream(await eventsIn(into)), all);
        assert.ok(failed || at > 8, 'every append has failed once');
      }
    }
  }),
);

test(
  'a second import adds the new results of a repeated export',
  inTemporaryFolder(async (folder) => {
    const { main, log, target } = await prepared(folder, plainResults(10));
    await resultsImported(folder, target);
    assert.is((await resultsImported(folder, target)).added, 0);
    const [event] = await log.readStream('check_results-a', { limit: 1 });
    if (!event) throw new Error('no result');
    await log.append('check_results-a', [{ ...event, id: derivedUuid('later'), data: { result: 10 } }], 'any');
    await exported(log, folder, main);
    assert.is((await resultsImported(folder, target)).added, 2);
    assert.equal(byStream(await eventsIn(target.log)), byStream(await eventsIn(log)));
  }),
);

test(
  'results can be imported while workers store new results in the same log, and the id of the log does not change',
  inTemporaryFolder(async (folder) => {
    const { log, target } = await prepared(folder, plainResults(300));
    const id = await openLogIdentity(target.log);
    const [sample] = await log.readStream('check_results-a', { limit: 1 });
    if (!sample) throw new Error('no result');
    let live = 0;
    const store = () =>
      target.log.append('check_results-a', [{ ...sample, id: derivedUuid(`live ${++live}`), data: { live } }], 'any');
    const busy: EventStore = {
      ...target.log,
      append: async (...append) => {
        await store();
        return target.log.append(...append);
      },
    };
    await resultsImported(folder, { main: target.main, log: busy });
    const events = await eventsIn(target.log);
    assert.is(await openLogIdentity(target.log), id);
    assert.is(events.filter(({ type }) => type === 'LogOpened').length, 1);
    assert.equal(
      numbers(events).sort((a, b) => a - b),
      Array.from({ length: 300 }, (_, index) => index),
    );
    assert.ok(events.some(({ data }) => 'live' in data));
  }),
);

test(
  'an import of results requires that the main log of the same service was imported',
  inTemporaryFolder(async (folder) => {
    const { target } = await prepared(folder, plainResults(3));
    const empty = createMemoryEventStore('main');
    await rejects(
      resultsImported(folder, { main: empty, log: target.log }),
      OperatorError,
      /^The log main is empty\. Import it first/,
    );
    await openLogIdentity(empty);
    await rejects(
      resultsImported(folder, { main: empty, log: target.log }),
      OperatorError,
      /belongs to another service/,
    );
    assert.is((await eventsIn(target.log)).length, 0);
  }),
);

test(
  'an import ignores the stored progress of an import into another log',
  inTemporaryFolder(async (folder) => {
    const { log, target } = await prepared(folder, plainResults(10));
    await resultsImported(folder, target);
    const other = createMemoryEventStore('results');
    assert.is((await resultsImported(folder, { main: target.main, log: other })).added, 12);
    assert.equal(byStream(await eventsIn(other)), byStream(await eventsIn(log)));
  }),
);

test(
  'an import is rejected if the file was replaced by another export after the import had started',
  inTemporaryFolder(async (folder) => {
    const { main, log, target } = await prepared(folder, plainResults(10));
    await resultsImported(folder, target);
    const file = fileIn(folder, 'results');
    assert.ok(existsSync(`${file}.imported`));
    const other = createMemoryEventStore('results');
    const [opened, ...rest] = await log.readAll({ after: 0n });
    if (!opened) throw new Error('no event');
    // Simulates a retention that removed some results before the second export.
    for (const event of [opened, ...rest.slice(5)]) await other.append(event.stream, [event], 'any');
    rmSync(file);
    await exported(other, folder, main);
    await rejects(resultsImported(folder, target), OperatorError, /is not the file whose import was started\./);
  }),
);

test(
  'an export leaves out repeated events, even if it continues an earlier export',
  inTemporaryFolder(async (folder) => {
    const { main, log } = await prepared(folder, plainResults(10));
    const idsIn = async (): Promise<string[]> =>
      readFileSync(fileIn(folder, 'results'), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{"position"'))
        .map((line) => (JSON.parse(line) as { id: string }).id);
    const before = await idsIn();
    for (const stream of ['check_results-a', 'check_results-b', 'check_results-a']) await storeAgain(log, stream);
    await exported(log, folder, main);
    const gone = await idsIn();
    assert.equal(gone.slice(0, -1), before);
    rmSync(fileIn(folder, 'results'));
    await exported(log, folder, main);
    // The second file also contains the marker event that the previous export appended to the log.
    assert.equal((await idsIn()).slice(0, gone.length), gone);
    assert.is(new Set(await idsIn()).size, gone.length + 1);
  }),
);

/** Repeats some lines of a complete file, because exports of earlier releases did not leave out repeated events. */
const repeatLines = (file: string, chosen: (line: number) => boolean): number => {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, -1);
  let position = 0;
  const all = lines.flatMap((line, number) => (chosen(number) ? [line, line] : [line]));
  const numbered = [head, ...all.map((line) => line.replace(/^\{"position":\d+/, () => `{"position":${++position}`))];
  const text = `${numbered.join('\n')}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(file, `${text}${JSON.stringify({ end: { events: position, sha256 } })}\n`);
  return all.length - lines.length;
};

test(
  'an import of a file with repeated results stores each result once, even if it is interrupted at any append',
  inTemporaryFolder(async (folder) => {
    const { log, target } = await prepared(folder, plainResults(2_050));
    const all = byStream(await eventsIn(log));
    // The repeats are adjacent, and spread over several appends.
    const repeats = repeatLines(fileIn(folder, 'results'), (line) => line > 1 && line < 2_050 && line % 7 === 0);
    assert.ok(repeats > 200);
    for (const [forgets, how] of [
      [false, 'refused'],
      [true, 'answer lost'],
    ] as const) {
      for (let at = 0, failed = true; failed; at++) {
        rmSync(`${fileIn(folder, 'results')}.imported`, { force: true });
        const empty = createMemoryEventStore('results');
        const into = forgets ? forgetfulStore(empty) : empty;
        failed = await resultsImported(folder, { main: target.main, log: failingOnce(into, at, how) }).then(
          () => false,
          (error: unknown) => {
            assert.instance(error, OperatorError);
            return true;
          },
        );
        const done = await resultsImported(folder, { main: target.main, log: into });
        assert.equal([done.events, done.repeats], [2_052, repeats]);
        assert.equal(byStream(await eventsIn(into)), all);
        assert.ok(failed || at > 8, 'every append has failed once');
      }
    }
  }),
);

test(
  'an import that has lost its progress recognizes the results that it has already stored',
  inTemporaryFolder(async (folder) => {
    const { log, target } = await prepared(folder, plainResults(10));
    await resultsImported(folder, target);
    // Deletes the stored progress of the import.
    rmSync(`${fileIn(folder, 'results')}.imported`);
    await resultsImported(folder, target);
    assert.equal(byStream(await eventsIn(target.log)), byStream(await eventsIn(log)));
  }),
);

test.run();
