import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { outputTo, table } from '../../service/output.ts';
import { FINISHING } from '../../cli/finishing.ts';
import { createProgram } from '../../cli/program.ts';
import { collectLines } from '../service/lines.ts';
import { formatSize } from '../../cli/format-size.ts';

const test = suite('what a command writes');

test('the promise of a written line resolves only when a slow reader has accepted the line', async () => {
  let release: () => void = () => undefined;
  const stream = new Writable({
    highWaterMark: 4,
    write: (_chunk, _encoding, done) => {
      release = done;
    },
  });
  let written = false;
  const line = outputTo(stream)
    .line('a long line')
    .then(() => {
      written = true;
    });
  await new Promise(setImmediate);
  assert.is(written, false);
  release();
  await line;
  assert.is(written, true);
});

/** Creates a stream whose reader is gone. */
const closed = (): Writable =>
  new Writable({
    highWaterMark: 4,
    autoDestroy: false,
    write: (_chunk, _encoding, done) => {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    },
  });

test('a command that may end with its reader is notified once that the reader is gone', async () => {
  let times = 0;
  const output = outputTo(closed(), () => {
    times += 1;
  });
  for (const line of ['a long line', 'another line']) await output.line(line);
  assert.is(times, 1);
});

test('a command that outlives its reader continues, and its further lines are dropped', async () => {
  let isTold = false;
  const output = outputTo(closed(), () => {
    isTold = true;
  });
  output.outliveReader?.();
  for (const line of ['a long line', 'another line', 'a third line']) await output.line(line);
  assert.is(isTold, false);
});

test('the commands that finish without a reader exist', () => {
  const below = (command: Command, path: string): string[] => [
    path,
    ...command.commands.flatMap((one) => below(one, `${path} ${one.name()}`.trim())),
  ];
  const paths = new Set(
    below(
      createProgram({}, collectLines(), () => undefined),
      '',
    ),
  );
  for (const path of FINISHING) assert.ok(paths.has(path), path);
});

test('the cells of a table are aligned under the headings', () => {
  const rows = [
    ['a', 'first'],
    ['abcd', ''],
  ];
  assert.equal(table(['ID', 'NAME'], rows), ['ID    NAME', 'a     first', 'abcd']);
});

test('sizes are shown in binary units', () => {
  assert.equal([0, 1_023, 1_024, 1_310_720, 5 * 2 ** 40].map(formatSize), [
    '0 B',
    '1023 B',
    '1 KiB',
    '1.25 MiB',
    '5 TiB',
  ]);
});

test.run();
