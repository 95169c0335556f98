import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareText, encode, textTest, wellFormed } from '../../../stores/read-store/values.ts';
import { randomFrom } from '../../contracts/random.ts';

const test = suite('Values of read models');

test('texts are ordered by their UTF-8 bytes', () => {
  const random = randomFrom(7);
  const characters = [
    '',
    'a',
    'b',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  ];
  const text = () => Array.from({ length: random.below(4) }, () => random.pick(characters)).join('');
  for (let times = 0; times < 20_000; times++) {
    const [a, b] = [text(), text()];
    assert.is(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)), JSON.stringify([a, b]));
  }
});

test('encoded documents contain well-formed text', () => {
  const random = randomFrom(8);
  const units = ['a', '\\', '"', 'u', 'd800', '\\ud800', '\ud800', '\udc00', '\udfff', '\ud83d\ude00', '\n'];
  for (let times = 0; times < 20_000; times++) {
    const text = Array.from({ length: random.below(6) }, () => random.pick(units)).join('');
    const read = (JSON.parse(encode({ [text]: text })) as Record<string, string>)[wellFormed(text)];
    assert.is(read, Buffer.from(text).toString(), JSON.stringify(text));
    assert.is(wellFormed(text), Buffer.from(text).toString(), JSON.stringify(text));
  }
});

test('case-insensitive comparison folds each character separately', () => {
  const same = (a: string, b: string) => textTest(a, 'anywhere')(b) && textTest(b, 'anywhere')(a);
  for (const [a, b] of [
    ['k', '\u212a'],
    ['ſ', 'S'],
    ['ß', 'ẞ'],
    ['Ǆ', 'ǆ'],
    ['Ω', 'Ω'],
    ['𐐀', '𐐨'],
  ] as const) {
    assert.ok(same(a, b), `${a} ${b}`);
  }
  for (const [a, b] of [
    ['ß', 'ss'],
    ['İ', 'i'],
    ['ı', 'I'],
    ['é', 'e'],
    ['é', 'e\u0301'],
  ] as const) {
    assert.not.ok(same(a, b), `${a} ${b}`);
  }
});

test.run();
