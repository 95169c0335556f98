import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../../http/errors.ts';
import { csvRows, type CsvRow } from '../../../http/media/csv-rows.ts';
import { rejects } from '../../rejects.ts';

const test = suite('parsing CSV');

const rowsOf = async (text: string): Promise<CsvRow[]> => {
  const rows: CsvRow[] = [];
  for await (const row of csvRows(text)) rows.push(row);
  return rows;
};
const fieldsOf = async (text: string): Promise<string[][]> => (await rowsOf(text)).map(({ fields }) => fields);

test('CSV fields are separated by commas, semicolons or tabs', async () => {
  for (const delimiter of [',', ';', '\t']) {
    assert.equal(await fieldsOf(`a${delimiter}b\n1${delimiter}2\n`), [
      ['a', 'b'],
      ['1', '2'],
    ]);
  }
});

test('quoted CSV fields may contain delimiters, quotes and line breaks', async () => {
  assert.equal(await rowsOf('a,b\r\n"1,""2""","3\n4"\r\n5,6'), [
    { line: 1, fields: ['a', 'b'] },
    { line: 3, fields: ['1,"2"', '3\n4'] },
    { line: 4, fields: ['5', '6'] },
  ]);
});

test('whitespace around CSV fields and empty rows are ignored', async () => {
  assert.equal(await rowsOf('a , b\n\n , \n 1,2 \n'), [
    { line: 1, fields: ['a', 'b'] },
    { line: 4, fields: ['1', '2'] },
  ]);
});

test('CSV rows may have fewer or more fields than the first row', async () => {
  assert.equal(await fieldsOf('a,b\n1\n1,2,3'), [['a', 'b'], ['1'], ['1', '2', '3']]);
});

test('a long CSV text that is parsed in several slices gives the same rows', async () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `ä${n},"x""${n}"`);
  const rows = await rowsOf(lines.join('\n'));
  assert.is(rows.length, lines.length);
  assert.equal(rows.at(-1), { line: 20_000, fields: ['ä19999', 'x"19999'] });
});

test('invalid CSV gets 400 with the number of the invalid line', async () => {
  await rejects(rowsOf('a,b\n1,2\n"3,4\n'), HttpError, /^The body is not valid CSV\. Line \d+ can't be read\.$/);
  await rejects(rowsOf(`a,b\n"${'x\n'.repeat(30_000)}`), HttpError, /^The body is not valid CSV\./);
});

test('an empty CSV text has no rows', async () => {
  assert.equal(await rowsOf(''), []);
  assert.equal(await rowsOf('\n\n'), []);
});

test.run();
