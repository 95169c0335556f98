import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fixedTextOf } from '../../../../cli/import-from/blackbox/regular-expression.ts';

const test = suite('fixed texts of regular expressions');

test('the longest fixed text is found, and whether it decides', () => {
  const expected: Readonly<Record<string, readonly [string, boolean, boolean] | null>> = {
    ready: ['ready', true, false],
    '.*ready.*': ['ready', true, false],
    '^ready$': ['ready', false, true],
    '^ready': ['ready', false, false],
    '^.*ready$': ['ready', false, false],
    'status: ok\\.': ['status: ok.', true, false],
    '"status":\\s*"up"': ['"status":', false, false],
    'a[0-9]+bcd': ['bcd', false, false],
    'colou?r': ['colo', false, false],
    '10\\$': ['10$', true, false],
    'a\\\\$': ['a\\', false, false],
    'up|down': null,
    '(?i)ready': null,
    '.*': null,
    '\\d+': null,
    '': null,
  };
  for (const [expression, result] of Object.entries(expected)) {
    const found = fixedTextOf(expression);
    assert.equal(found && [found.text, found.exact, found.whole], result, expression);
  }
});

test('expressions of more than 4,096 characters are not read', () => {
  assert.is(fixedTextOf('a'.repeat(4_096))?.text.length, 4_096);
  assert.is(fixedTextOf('['.repeat(1_000_000)), null);
});

test.run();
