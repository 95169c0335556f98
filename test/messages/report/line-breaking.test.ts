import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { breakLines } from '../../../messages/report/pdf/line-breaking.ts';
import { openSheet } from '../../../messages/report/pdf/sheet.ts';

const test = suite('lines of text in a PDF');

/** Returns the width of a text in which accents have width 0 and all other characters width 1. */
const widthOf = (text: string): number => text.replace(/\p{M}/gu, '').length;

test('lines of a PDF break between words if possible', () => {
  assert.equal(breakLines('a bc  def\n\nghi', 5, widthOf), ['a bc', 'def', '', 'ghi']);
  assert.equal(breakLines('', 5, widthOf), ['']);
});

test('a word that is wider than a line of a PDF is broken', () => {
  assert.equal(breakLines('ab cdefghijklm n', 5, widthOf), ['ab', 'cdefg', 'hijkl', 'm n']);
  assert.equal(breakLines('👍👍', 1, widthOf), ['👍', '👍']);
});

test('line breaking takes time proportional to the length of the text', () => {
  for (const word of ['\u0301', 'i', 'i\u0301', '\u0301 ', 'i ', 'wide ']) {
    const text = word.repeat(10_000 / word.length);
    let measured = 0;
    const lines = breakLines(text, 150, (part) => {
      measured += part.length;
      return widthOf(part);
    });
    assert.is(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    assert.ok(measured < 300 * text.length, `${JSON.stringify(word)}: ${measured}`);
  }
});

test('a PDF with many lines in two fonts loads each font once', async () => {
  const sheet = openSheet({ title: 'a', made: new Date(0), foot: 'b' });
  for (let line = 0; line < 10; line++) {
    sheet.prose('regular');
    sheet.prose('bold', { weight: 'bold' });
  }
  // The library increments this number each time it loads a font.
  assert.is((sheet.document as unknown as { _fontCount: number })._fontCount, 2);
  await sheet.done();
});

test.run();
