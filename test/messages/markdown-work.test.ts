// Own process: this file replaces methods of String.prototype to count their calls.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markdownHtml } from '../../messages/markdown/html.ts';
import { markdownText } from '../../messages/markdown/text.ts';
import { PIECES } from './markdown-samples.ts';
import { countCharacterReads } from './character-reads.ts';

const test = suite('the work of rendering Markdown');

const LENGTH = 3_000;
const repeated = (piece: string, length: number): string => piece.repeat(length / piece.length + 1).slice(0, length);

const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(PIECES.map((piece) => [JSON.stringify(piece), (length: number) => repeated(piece, length)])),
  brackets: (length) => `${'['.repeat(length / 2)}a${']'.repeat(length / 2)}`,
  'brackets with a reference': (length) => `[a]: b\n\n${'['.repeat(length / 2)}a${']'.repeat(length / 2)}`,
  'links in links': (length) => `${'['.repeat(length / 3)}a${'](b)'.repeat(length / 6)}`,
  'images in images': (length) => `${'!['.repeat(length / 6)}a${'](b)'.repeat(length / 6)}`,
  'emphasis in emphasis': (length) => `${'*a '.repeat(length / 6)}${'a*'.repeat(length / 4)}`,
  'lists in lists': (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, index) => `${' '.repeat(index)}- a`).join('\n'),
  'ticks of all lengths': (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, index) => `${'`'.repeat(index)}a`).join(''),
  'a table whose rows leave out cells': (length) =>
    `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'a\n'.repeat(length / 2)}`,
  'a host of different letters': (length) =>
    `[a](https://${Array.from({ length }, (_, index) => String.fromCharCode(0x4e00 + index)).join('')})`,
};

for (const [name, text] of Object.entries(TEXTS)) {
  test(`the work of rendering Markdown grows linearly with the length of the text: ${name}`, async () => {
    const looksAt = (body: string) => countCharacterReads(() => [markdownHtml(body), markdownText(body)]);
    const [once, twice] = [await looksAt(text(LENGTH)), await looksAt(text(2 * LENGTH))];
    assert.ok(twice < 3 * once, `${once} and ${twice}`);
    assert.ok(twice < 1_000 * LENGTH, `${twice} for ${2 * LENGTH} characters`);
  });
}

test.run();
