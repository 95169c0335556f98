import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayInto } from '../../../cli/replay/into.ts';
import { manifestPath, type Manifest } from '../../../cli/replay/manifest.ts';
import { verifyReplayFile } from '../../../cli/replay/verify.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { fillMain, NOW } from '../transfer/samples.ts';

const FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;

const written = async (file: string): Promise<Manifest> => {
  const log = createMemoryEventStore('main');
  await fillMain(log, 40);
  const { signal } = new AbortController();
  return replayInto(log, { from: 0n, types: [], raw: false, clock: () => NOW, signal, file });
};

const verified = async (file: string, json = false) => {
  const output = collectLines();
  const { signal } = new AbortController();
  const valid = await verifyReplayFile({ file, json, signal }, output);
  return { valid, text: output.lines.join('\n') };
};

const rewriteManifest = (file: string, change: (manifest: Manifest) => object): void => {
  const manifest = JSON.parse(readFileSync(manifestPath(file), 'utf8')) as Manifest;
  writeFileSync(manifestPath(file), JSON.stringify({ ...manifest, ...change(manifest) }));
};

const test = suite('uptrail replay verify');

for (const format of FORMATS) {
  test(
    `uptrail replay verify accepts an intact ${format} file`,
    inTemporaryFolder(async (folder) => {
      const file = join(folder, `main.${format}`);
      const manifest = await written(file);
      const { valid, text } = await verified(file);
      assert.ok(valid, text);
      assert.match(
        text,
        /^The file matches its manifest: 41 events of the log main \([\w-]+\), from 2026-11-20T15:00:00/,
      );
      assert.equal(JSON.parse((await verified(file, true)).text), { valid: true, differences: [], manifest });
    }),
  );

  test(
    `uptrail replay verify rejects a ${format} file with a flipped bit, a missing end or additional bytes`,
    inTemporaryFolder(async (folder) => {
      const file = join(folder, `main.${format}`);
      await written(file);
      const whole = readFileSync(file);
      const flipped = Buffer.from(whole);
      const middle = Math.floor(whole.length / 2);
      flipped[middle] = (flipped[middle] ?? 0) ^ 1;
      for (const damaged of [flipped, whole.subarray(0, middle), Buffer.concat([whole, Buffer.from('x')])]) {
        writeFileSync(file, damaged);
        const { valid, text } = await verified(file);
        assert.not(valid);
        assert.match(text, /file\.sha256 is "\w{64}" instead of/);
      }
      truncateSync(file, 0);
      assert.not((await verified(file)).valid);
    }),
  );

  test(
    `uptrail replay verify names each field in which a manifest differs from its ${format} file`,
    inTemporaryFolder(async (folder) => {
      const file = join(folder, `main.${format}`);
      await written(file);
      const original = readFileSync(manifestPath(file));
      for (const [change, field] of [
        [{ events: 40 }, 'events'],
        [{ by_type: { CheckCreated: 41 } }, 'by_type'],
        [{ by_category: { check: 41 } }, 'by_category'],
        [{ first: null }, 'first'],
        [{ last: { position: '7', recorded_at: '2026-11-20T15:00:00.000000' } }, 'last'],
      ] as const) {
        writeFileSync(manifestPath(file), original);
        rewriteManifest(file, () => change);
        const { valid, text } = await verified(file, true);
        assert.not(valid);
        const { differences } = JSON.parse(text) as { differences: { field: string }[] };
        assert.equal(
          differences.map((difference) => difference.field),
          [field],
        );
      }
    }),
  );
}

test(
  'uptrail replay verify names each field of a manifest that an event of the file contradicts',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'main.jsonl');
    const { filters, log, first } = await written(file);
    const from = (BigInt(first?.position ?? '0') + 1n).toString();
    const original = readFileSync(manifestPath(file));
    for (const [change, field] of [
      [{ filters: { ...filters, types: ['PageCreated'] } }, 'filters.types'],
      [{ filters: { ...filters, from } }, 'filters.from'],
      [{ filters: { ...filters, stream: 'page-x' } }, 'filters.stream'],
      [{ log: { ...log, name: 'results' } }, 'log.name'],
      [{ made_at: '2020-01-01T00:00:00.000000' }, 'made_at'],
    ] as const) {
      writeFileSync(manifestPath(file), original);
      rewriteManifest(file, () => change);
      const { valid, text } = await verified(file, true);
      assert.is(valid, false, field);
      const { differences } = JSON.parse(text) as { differences: { field: string; sentence: string }[] };
      assert.equal(
        differences.map((difference) => difference.field),
        [field],
      );
      assert.match(differences[0]?.sentence ?? '', 'but the event at position');
    }
  }),
);

test(
  'uptrail replay verify stops reading a compressed file that decompresses to more bytes than its manifest states',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'main.jsonl.gz');
    await written(file);
    const [line = ''] = await linesOf(folder);
    writeFileSync(file, gzipSync(`${line}\n`.repeat(200_000)));
    const { valid, text } = await verified(file);
    assert.not(valid);
    assert.match(text, /contains more than \d+ bytes of events/);
    writeFileSync(file, gzipSync(Buffer.alloc(64 * 1_048_576, 'a')));
    assert.match((await verified(file)).text, /contains a line that is not an event/);
  }),
);

const linesOf = async (folder: string): Promise<string[]> => {
  const file = join(folder, 'plain.jsonl');
  await written(file);
  return readFileSync(file, 'utf8').split('\n');
};

test(
  'with an error message, uptrail replay verify refuses a missing file, a missing or invalid manifest, and a manifest of a newer release',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'main.jsonl');
    await rejects(verified(file), OperatorError, /main\.jsonl does not exist\.$/);
    await written(file);
    rewriteManifest(file, () => ({ format: 2 }));
    await rejects(verified(file), OperatorError, /was written by a newer release/);
    for (const other of ['', '{', 'null', '{"uptrail":"log","format":1}', '{"format":1}']) {
      writeFileSync(manifestPath(file), other);
      await rejects(verified(file), OperatorError, /is not a manifest of uptrail replay, or is damaged/);
    }
    rmSync(manifestPath(file));
    await rejects(verified(file), OperatorError, /manifest\.json does not exist/);
  }),
);

test.run();
