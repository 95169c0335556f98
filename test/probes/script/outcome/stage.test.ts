import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stagedOutcome } from '../../../../probes/script/outcome/stage.ts';
import { temporaryDirectory } from '../../../stores/temporary.ts';
import { file, passed, record, synthetic } from './records.ts';

const staging = suite<{ from: string; to: string; remove: () => void }>('the files of a script');
staging.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  mkdirSync(from);
  mkdirSync(to);
  Object.assign(context, { from, to, remove });
});
staging.after.each(({ remove }) => {
  remove();
});

const left = (folder: string, name: string) => {
  const path = join(folder, name);
  writeFileSync(path, name);
  return file({ name, path, size: name.length });
};

staging(
  'the files of a script are staged under the names in the outcome, and its logs as a text file',
  async ({ from, to }) => {
    const logs = [{ level: 'warn', message: 'z'.repeat(10_000), timestamp: '2026-11-20T15:04:05.123Z' }];
    const given = synthetic({ files: [left(from, 'a.png'), left(from, 'b.png')], logs });
    const { files = [] } = await stagedOutcome(given, { timeout: 1_000 }, to);
    assert.equal(
      files.map(({ reference, role, name, media_type, size }) => [reference, role, name, media_type, size]),
      [
        ['file:logs', 'log', 'logs.txt', 'text/plain; charset=utf-8', 10_031],
        ['file:0', 'screenshot', 'a.png', 'image/png', 5],
        ['file:1', 'screenshot', 'b.png', 'image/png', 5],
      ],
    );
    assert.is(readFileSync(join(to, files[1]?.staged ?? ''), 'utf8'), 'a.png');
    assert.match(readFileSync(join(to, files[0]?.staged ?? ''), 'utf8'), /^2026-11-20T15:04:05.123Z warn zzz/);
    assert.equal(readdirSync(from), []);
  },
);

staging('files of a script that the outcome does not name are removed', async ({ from, to }) => {
  const outcome = await stagedOutcome(record({ files: [left(from, 'a.png')] }), { timeout: 1_000 }, to);
  assert.is(outcome.files, undefined);
  const skipped = synthetic({ tests: [passed({ status: 'skipped' })], files: [left(from, 'b.png')] });
  assert.is((await stagedOutcome(skipped, { timeout: 1_000 }, to)).files, undefined);
  assert.equal([readdirSync(from), readdirSync(to)], [[], []]);
});

staging('missing files of a script do not affect the others', async ({ from, to }) => {
  const gone = file({ path: join(from, 'gone.png') });
  const { files = [] } = await stagedOutcome(synthetic({ files: [gone, left(from, 'a.png')] }), { timeout: 1_000 }, to);
  assert.equal(
    files.map(({ staged }) => staged !== '' && existsSync(join(to, staged))),
    [false, true],
  );
});

staging.run();
