import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escaped, isSealed, unescaped, unescapedText } from '../../domain/sealed.ts';

const test = suite('a sealed text');

test('a sealed text is recognized by its shape', () => {
  assert.ok(isSealed({ key: 'check-1', sealed: 'x' }));
  for (const other of [
    'x',
    null,
    ['x'],
    { key: 'check-1' },
    { key: 1, sealed: 'x' },
    { key: 'a', sealed: 'x', more: 1 },
  ])
    assert.not(isSealed(other));
});

const LIKE = { key: 'check-1', sealed: 'AZNz' };

test('an escaped text of a caller is never recognized as sealed', () => {
  for (const sent of [
    LIKE,
    [LIKE],
    { deep: [{ deeper: LIKE }] },
    { ...LIKE, more: LIKE },
    { key: 'a', '\\sealed': 'x' },
    { key: 'a', sealed: 'x', '\\sealed': 'y', '\\\\sealed': 'z' },
  ]) {
    const stored = escaped<unknown>(sent);
    const inside = (value: unknown): boolean =>
      isSealed(value) || (typeof value === 'object' && value !== null && Object.values(value).some(inside));
    assert.not(inside(stored), JSON.stringify(stored));
    assert.equal(unescaped(stored), sent);
    assert.is(unescapedText(stored), JSON.stringify(sent));
  }
});

test('escaping does not change most values', () => {
  for (const value of [{ sealed: 'x' }, { key: 'x' }, { key: 1, sealed: 'x' }, [1, null, 'x'], 'x', null]) {
    assert.is(escaped<unknown>(value), value);
    assert.is(unescaped<unknown>(value), value);
  }
});

test.run();
