import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOCUMENTS, textOf } from './files.ts';

/**
 * A block of code that a document quotes from a file. In the document, `<!-- quoted from path -->` precedes the block.
 */
interface Quotation {
  document: string;
  path: string;
  code: string;
}

const quotationsOf = (document: string): Quotation[] =>
  [...textOf(document).matchAll(/^<!-- quoted from (\S+) -->\n\n```\w+\n([^]*?)^```$/gm)].map(
    ([, path = '', code = '']) => ({ document, path, code }),
  );

/**
 * Returns the lines of a text without indentation. In a quoted part of an object, the indentation may differ from the
 * file.
 */
const unindented = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');

const quotations = DOCUMENTS.flatMap(quotationsOf);

const test = suite('quotations of code in documents');

test('every `quoted from` comment in a document precedes a block of code', () => {
  const marks = DOCUMENTS.flatMap((document) => textOf(document).match(/<!-- quoted from/g) ?? []);
  assert.is(quotations.length, marks.length);
  assert.ok(quotations.length > 0);
});

for (const [index, { document, path, code }] of quotations.entries()) {
  test(`quotation ${index + 1} in ${document} equals the code in ${path}`, () => {
    assert.ok(`\n${unindented(textOf(path))}`.includes(`\n${unindented(code)}`), code);
  });
}

test.run();
