import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf, MINUTE_MS } from '../../../../domain/time.ts';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { join } from 'node:path';

const test = suite('retention of a SQLite log');

const START = Date.parse('2026-11-20T00:00:00Z');
const [MOSCOW, WEST, OLD] = ['check_results-ru-central1', 'check_results-eu-west1', 'check_results-in-mum1'];
const going = () => new AbortController().signal;

const opened = async () => {
  const { directory, remove } = temporaryDirectory();
  const file = join(directory, 'results.db');
  const store = await openSqliteEventStore({ file, name: 'results', mode: 'service' });
  const append = (stream: string, ...minutes: number[]) =>
    store.append(
      stream,
      minutes.map((minute) => resultOf(stream, START + minute * MINUTE_MS)),
      'any',
    );
  const times = async (): Promise<string[]> =>
    (await store.readAll({ after: 0n, limit: 5_000 })).map(
      ({ stream, metadata }) => `${stream.slice(14)} ${metadata.recorded_at.slice(11, 16)}`,
    );
  const close = async () => {
    await store.close();
    remove();
  };
  return { store, file, append, times, close };
};

test('retention removes events older than an instant, except the last event of a stream', async () => {
  const { store, append, times, close } = await opened();
  try {
    await append(OLD, 0, 1);
    await append(MOSCOW, 0, 5, 10, 15);
    // Regions append concurrently, so times are only roughly ordered by position.
    await append(WEST, 2, 9, 11);
    assert.is(await store.removeBefore(instantOf(START + 10 * MINUTE_MS), going()), 5);
    assert.equal(await times(), ['in-mum1 00:01', 'ru-central1 00:10', 'ru-central1 00:15', 'eu-west1 00:11']);
    assert.is(await store.removeBefore(instantOf(START + 10 * MINUTE_MS), going()), 0);
  } finally {
    await close();
  }
});

test('after retention, streams continue with their next revisions, also after a restart', async () => {
  const { store, file, append, close } = await opened();
  try {
    await append(MOSCOW, 0, 1, 2);
    await store.removeBefore(instantOf(START + 60 * MINUTE_MS), going());
    const { revision, position } = await append(MOSCOW, 61);
    assert.is(revision, 3n);
    await store.close();
    const again = await openSqliteEventStore({ file, name: 'results', mode: 'service' });
    const appended = await again.append(MOSCOW, [resultOf('later', START + 62 * MINUTE_MS)], 3n);
    assert.is(appended.revision, 4n);
    assert.ok(appended.position > position);
    await again.close();
  } finally {
    await close();
  }
});

test('retention does not remove events other than results, however old they are', async () => {
  const { store, append, times, close } = await opened();
  try {
    const mark = { ...resultOf('log', START), type: 'LogMarked', data: {} };
    await store.append('log-marks', [mark, { ...resultOf('log', START + 1), type: 'LogMarked', data: {} }], 'any');
    await append(MOSCOW, 0, 1);
    await store.removeBefore(instantOf(START + 60 * MINUTE_MS), going());
    assert.is((await times()).length, 3);
  } finally {
    await close();
  }
});

test('retention works in many small steps while appends continue, and no appended event is lost', async () => {
  const { store, append, times, close } = await opened();
  try {
    const old = Array.from({ length: 1_000 }, (_, index) => index / 100);
    await append(MOSCOW, ...old);
    await append(MOSCOW, 60);
    const removal = store.removeBefore(instantOf(START + 60 * MINUTE_MS), going());
    for (let minute = 61; minute < 80; minute++) await append(MOSCOW, minute);
    assert.is(await removal, 1_000);
    assert.is((await times()).length, 20);
  } finally {
    await close();
  }
});

test('retention removes old events behind events recorded while the clock was ahead, and leaves the latter in place', async () => {
  const { store, append, times, close } = await opened();
  try {
    await append(MOSCOW, ...Array.from({ length: 500 }, (_, index) => 100_000 + index / 100));
    await append(MOSCOW, 0, 1, 2, 60);
    assert.is(await store.removeBefore(instantOf(START + 60 * MINUTE_MS), going()), 3);
    assert.is((await times()).length, 501);
  } finally {
    await close();
  }
});

test('retention stops when its signal aborts, and continues the next time', async () => {
  const { store, append, times, close } = await opened();
  try {
    await append(MOSCOW, ...Array.from({ length: 900 }, (_, index) => index / 100), 60);
    const stop = new AbortController();
    stop.abort();
    assert.is(await store.removeBefore(instantOf(START + 60 * MINUTE_MS), stop.signal), 0);
    assert.is(await store.removeBefore(instantOf(START + 60 * MINUTE_MS), going()), 900);
    assert.equal(await times(), ['ru-central1 01:00']);
  } finally {
    await close();
  }
});

test.run();
