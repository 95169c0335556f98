// Own process: counts the calls of methods of String.prototype
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markdownHtml } from '../../messages/markdown/html.ts';
import { markdownText } from '../../messages/markdown/text.ts';
import { PIECES } from './bodies.ts';

const test = suite('the work that Markdown takes');

const COUNTED = ['charCodeAt', 'charAt', 'codePointAt', 'indexOf', 'slice', 'split', 'replace'] as const;

/** How often a piece of work looks at a text, through the methods that parsers look at texts with. */
const looks = (work: () => void): number => {
  let count = 0;
  const prototype = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = COUNTED.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    prototype[name] = function (this: string, ...args: unknown[]) {
      count += 1;
      return original?.apply(this, args);
    };
  }
  try {
    work();
  } finally {
    for (const [name, original] of originals) if (original) prototype[name] = original;
  }
  return count;
};

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
  test(`grows with the length of the text and no faster: ${name}`, () => {
    const [once, twice] = [LENGTH, 2 * LENGTH].map((length) => {
      const body = text(length);
      return looks(() => {
        markdownHtml(body);
        markdownText(body);
      });
    });
    assert.ok((twice ?? NaN) < 3 * (once ?? NaN), `${String(once)} and ${String(twice)}`);
    assert.ok((twice ?? NaN) < 1_000 * LENGTH, `${String(twice)} for ${(2 * LENGTH).toString()} characters`);
  });
}

test.run();
