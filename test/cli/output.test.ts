import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { outputTo, table } from '../../service/output.ts';
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
