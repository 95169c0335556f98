import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shortened } from '../../messages/characters.ts';

const test = suite('truncated texts');

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Computes the expected result from all grapheme clusters of the text. */
const byAll = (text: string, most: number): string => {
  let beginning = '';
  for (const { segment } of segmenter.segment(text)) {
    if (beginning.length + segment.length >= most) break;
    beginning += segment;
  }
  return text.length <= most ? text : `${beginning.trimEnd()}…`;
};

const FAMILY = '👨‍👩‍👧‍👦';

test('a truncated text ends at a grapheme cluster boundary for every maximum length', () => {
  const pieces = [
    'a',
    ' b',
    '漢',
    '🇩🇪',
    FAMILY,
    'é',
    'e\u0301',
    '각',
    '\u0600a',
    'a\u200d',
    '\r\n',
    `ab${FAMILY}`,
    '漢\u0301',
  ];
  for (const piece of pieces) {
    for (const most of [1, 2, 20, 63, 64, 65, 300, 400, 401, 402, 403, 404, 405, 406, 407]) {
      for (const before of ['', 'x', '🇩', FAMILY]) {
        const text = before + piece.repeat(500);
        assert.is(shortened(text, most), byAll(text, most), `${JSON.stringify([before, piece])}, ${most}`);
      }
    }
  }
});

test('truncation segments a text only near its end', () => {
  const methods = Intl.Segmenter.prototype as { segment: (this: Intl.Segmenter, text: string) => Intl.Segments };
  const original = methods.segment;
  let split = 0;
  methods.segment = function (text) {
    split += text.length;
    return original.call(this, text);
  };
  try {
    for (const piece of ['word ', '漢', '- a\nb']) shortened(piece.repeat(25_000), 20_000);
  } finally {
    methods.segment = original;
  }
  assert.ok(split < 3 * 400, split.toString());
});

test.run();
