import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOCUMENTS, textOf } from './files.ts';
import { cellsOf } from './markdown.ts';

const test = suite('limits of the documents');

/** Maximum size of each document, in bytes. */
const LARGEST: Readonly<Record<string, number>> = { 'README.md': 10_000, 'CONTRIBUTING.md': 8_000 };
/** Maximum length of a table cell, in characters. */
const LONGEST_CELL = 200;
/** Maximum length of a line, in characters. */
const LONGEST_LINE = 900;

for (const [document, bytes] of Object.entries(LARGEST)) {
  test(`${document} has at most ${bytes} bytes`, () => {
    const size = Buffer.byteLength(textOf(document));
    assert.ok(size <= bytes, `It has ${size} bytes.`);
  });
}

for (const document of DOCUMENTS) {
  test(`${document} has no table cell over ${LONGEST_CELL} characters`, () => {
    const long = cellsOf(textOf(document)).filter(({ cell }) => cell.length > LONGEST_CELL);
    assert.equal(
      long.map(({ line, cell }) => `line ${line}: ${cell.length} characters`),
      [],
    );
  });

  test(`${document} has no line over ${LONGEST_LINE} characters`, () => {
    // The padding that aligns the columns of tables does not count.
    const lines = textOf(document)
      .split('\n')
      .map((line) => (line.startsWith('|') ? line.replace(/ {2,}|-{4,}/g, ' ') : line));
    const long = lines.flatMap((line, index) =>
      line.length > LONGEST_LINE ? [`line ${index + 1}: ${line.length} characters`] : [],
    );
    assert.equal(long, []);
  });
}

test.run();
