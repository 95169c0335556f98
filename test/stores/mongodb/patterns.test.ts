import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foldedPattern, literalPattern } from '../../../stores/mongodb/patterns.ts';

const test = suite('patterns for $regex');

const points = (last: number): string[] =>
  Array.from({ length: last + 1 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));

test('a case-insensitive pattern for MongoDB matches the same texts as a JavaScript pattern with the flags iu, for every character that has a case', () => {
  const cased = points(0x1ffff).filter((character) => /\p{Cased}|\p{Changes_When_Casemapped}/u.test(character));
  assert.ok(cased.length > 2_800);
  const all = cased.join('');
  for (const character of cased) {
    const byFlags = all.match(new RegExp(character, 'giu'));
    const spelt = all.match(new RegExp(foldedPattern(character), 'gu'));
    assert.equal(spelt, byFlags, character);
  }
});

test('a pattern for MongoDB matches every ASCII character literally', () => {
  const ascii = points(0x7f);
  for (const character of ascii.slice(1)) {
    const pattern = new RegExp(`^(?:${literalPattern(character)})$`);
    assert.equal(
      ascii.filter((other) => pattern.test(other)),
      [character],
    );
  }
  assert.is(literalPattern('\0'), '\\x{0}');
});

test.run();
