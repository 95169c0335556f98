import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayInto, type IntoOptions } from '../../../cli/replay/into.ts';
import { manifestPath, readManifest } from '../../../cli/replay/manifest.ts';
import { replay } from '../../../cli/replay/replay.ts';
import { readLogId } from '../../../projections/engine/feed/log-marks.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { version } from '../../../service/version.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { DamagedEvent, type EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { fillMain, NOW } from '../transfer/samples.ts';

const FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;
/** Number of events in a log. A Parquet file of so many events has more than one row group. */
const EVENTS = 6_000;

const filled = async (events = EVENTS): Promise<EventStore> => {
  const log = createMemoryEventStore('main');
  await fillMain(log, events);
  return log;
};

const into = (log: EventStore, file: string, options: Partial<IntoOptions> = {}) => {
  const { signal } = new AbortController();
  return replayInto(log, { from: 0n, types: [], raw: false, clock: () => NOW, signal, file, ...options });
};

/** Returns the output of `uptrail replay`. */
const printed = async (log: EventStore): Promise<string> => {
  const output = collectLines();
  const { signal } = new AbortController();
  await replay(log, { from: 0n, types: [], follow: false, raw: false, signal }, output);
  return output.lines.map((line) => `${line}\n`).join('');
};

const rowsOf = async (file: string) => {
  const buffer = await asyncBufferFromFile(file);
  return parquetReadObjects({ file: buffer, metadata: await parquetMetadataAsync(buffer) });
};

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

const test = suite('uptrail replay --into');

test(
  'uptrail replay --into writes the output of uptrail replay to a file of JSON lines, compressed or not',
  inTemporaryFolder(async (folder) => {
    const log = await filled();
    const expected = await printed(log);
    const [plain, compressed] = [join(folder, 'main.jsonl'), join(folder, 'main.jsonl.gz')];
    await into(log, plain);
    await into(log, compressed);
    assert.is(readFileSync(plain, 'utf8'), expected);
    assert.is(gunzipSync(readFileSync(compressed)).toString(), expected);
    assert.ok(statSync(compressed).size * 4 < statSync(plain).size);
  }),
);

test(
  'a Parquet file of uptrail replay --into contains every event, with separate columns for the metadata that queries need',
  inTemporaryFolder(async (folder) => {
    const log = await filled();
    const file = join(folder, 'main.parquet');
    await into(log, file);
    const rows = await rowsOf(file);
    assert.is(rows.length, EVENTS + 1);
    const [opened, created] = rows;
    assert.is(opened?.['organization_id'], null);
    const [, event] = await log.readAll({ after: 0n, limit: 2 });
    assert.ok(event);
    assert.equal(created, {
      position: event.position,
      stream: 'check-0',
      revision: 0n,
      id: event.id,
      type: 'CheckCreated',
      recorded_at: new Date(NOW),
      organization_id: 'org000000001',
      actor_kind: 'api_key',
      actor_id: 'key000000001',
      data: JSON.stringify(event.data),
      metadata: JSON.stringify(event.metadata),
    });
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
    assert.ok(metadata.row_groups.length > 1);
    assert.match(metadata.created_by ?? '', version());
  }),
);

test(
  'the manifest of uptrail replay --into contains counts, range, filters, log, release and hashes',
  inTemporaryFolder(async (folder) => {
    const log = await filled(8);
    for (const format of FORMATS) {
      const file = join(folder, `main.${format}`);
      const written = await into(log, file);
      assert.equal(JSON.parse(readFileSync(manifestPath(file), 'utf8')), written);
      const content = await printed(log);
      const events = await log.readAll({ after: 0n });
      assert.equal(written, {
        uptrail: 'replay',
        format: 1,
        made_at: '2026-11-20T15:00:00.000000',
        release: version(),
        log: { name: 'main', id: await readLogId(log) },
        filters: { from: '0', types: [], stream: null, raw: false },
        file: { name: `main.${format}`, bytes: statSync(file).size, sha256: sha256(readFileSync(file)) },
        content: { bytes: Buffer.byteLength(content), sha256: sha256(content) },
        events: 9,
        first: { position: String(events.at(0)?.position), recorded_at: events.at(0)?.metadata.recorded_at },
        last: { position: String(events.at(-1)?.position), recorded_at: events.at(-1)?.metadata.recorded_at },
        by_category: { check: 8, log: 1 },
        by_type: { CheckCreated: 6, CheckDeleted: 2, LogOpened: 1 },
      });
      for (const path of [file, manifestPath(file)]) assert.is(statSync(path).mode & 0o777, 0o600);
    }
  }),
);

test(
  'a file of uptrail replay --into contains only the selected events, and may be empty',
  inTemporaryFolder(async (folder) => {
    const log = await filled(8);
    const [, second] = await log.readAll({ after: 0n });
    for (const format of FORMATS) {
      const deleted = join(folder, `deleted.${format}`);
      const from = second?.position ?? 0n;
      const some = await into(log, deleted, { types: ['CheckDeleted'], stream: 'check-1', from });
      assert.equal(some.by_type, { CheckDeleted: 1 });
      assert.equal(some.filters, { from: String(from), types: ['CheckDeleted'], stream: 'check-1', raw: false });
      const none = await into(log, join(folder, `none.${format}`), { types: ['PageCreated'] });
      assert.equal([none.events, none.first, none.last, none.by_type], [0, null, null, {}]);
    }
    assert.equal(await rowsOf(join(folder, 'none.parquet')), []);
  }),
);

test(
  'uptrail replay --into refuses an existing file, an unknown file extension, and a missing folder',
  inTemporaryFolder(async (folder) => {
    const log = await filled(2);
    writeFileSync(join(folder, 'main.jsonl'), 'precious');
    await rejects(into(log, join(folder, 'main.jsonl')), OperatorError, /exists already/);
    assert.is(readFileSync(join(folder, 'main.jsonl'), 'utf8'), 'precious');
    await rejects(into(log, join(folder, 'main.csv')), OperatorError, /endings \.jsonl, \.jsonl\.gz, \.parquet/);
    await rejects(into(log, join(folder, 'absent/main.jsonl')), OperatorError, /absent does not exist/);
    assert.equal(readdirSync(folder), ['main.jsonl']);
  }),
);

for (const format of FORMATS) {
  test(
    `uptrail replay --into leaves no ${format} file if it is interrupted or the log is damaged`,
    inTemporaryFolder(async (folder) => {
      const log = await filled();
      const file = join(folder, `main.${format}`);
      const failing = (fail: () => void): EventStore => ({
        ...log,
        readAll: async (options) => {
          if (options.after > 4_000n) fail();
          return log.readAll(options);
        },
      });
      const damaged = failing(() => {
        throw new DamagedEvent('An event is damaged.', {});
      });
      await rejects(into(damaged, file), DamagedEvent, 'An event is damaged.');
      assert.equal(readdirSync(folder), []);

      const stop = new AbortController();
      const interrupted = failing(() => {
        stop.abort();
      });
      await rejects(into(interrupted, file, { signal: stop.signal }), OperatorError, /^Interrupted\. No file/);
      assert.equal(readdirSync(folder), []);
    }),
  );
}

test(
  'uptrail replay --into replaces a manifest without a file, which a killed process has left behind',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'main.jsonl');
    writeFileSync(manifestPath(file), 'stale');
    await into(await filled(3), file);
    assert.is(readManifest(file).events, 4);
  }),
);

test(
  'uptrail replay --into refuses an event type that neither this release nor the log knows, and writes no file',
  inTemporaryFolder(async (folder) => {
    const log = await filled(20);
    const [created] = await log.readAll({ after: 0n, limit: 1 });
    assert.ok(created);
    await log.append('other-1', [{ ...created, id: randomUUID(), type: 'FromANewerRelease' }], 'any');
    const file = join(folder, 'some.jsonl');
    await rejects(
      into(log, file, { types: ['CheckCreated', 'CheckDeletd'] }),
      OperatorError,
      'The event type "CheckDeletd" does not exist. No file was written.',
    );
    assert.equal(readdirSync(folder), []);
    assert.is((await into(log, file, { types: ['FromANewerRelease'], stream: 'check-1' })).events, 0);
  }),
);

test.run();
