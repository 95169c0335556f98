import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFullStopOrBlank, trimmedEnd } from '../../domain/text.ts';

const test = suite('trimming the end of a text');

test('trailing characters of the given kind are trimmed from a text, and no others', () => {
  for (const [text, expected] of [
    ['It failed. . ', 'It failed'],
    ['a.b', 'a.b'],
    ['.\n\u00a0', ''],
    ['', ''],
  ] as const) {
    assert.is(trimmedEnd(text, isFullStopOrBlank), expected);
  }
});

test('trimming a text reads each character at most once', () => {
  let read = 0;
  const counted = (character: string): boolean => {
    read += 1;
    return character === '.';
  };
  trimmedEnd(`${'.'.repeat(100)}x${'.'.repeat(100)}`, counted);
  assert.is(read, 101);
});

test.run();
