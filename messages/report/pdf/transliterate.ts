import anyAscii from 'any-ascii';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Matches invisible characters, such as joiners, variation selectors and direction marks. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Matches texts that consist only of letters and marks. An empty transliteration is valid for such a text, for example
 * for `ー` in `サーバー`, but not for a symbol.
 */
const LETTERS = /^[\p{L}\p{M}]+$/u;

/**
 * Replaces the characters of a text that a font does not contain. Letters are transliterated to Latin, and emoji are
 * replaced by their names. A character that has neither a transliteration nor a name is left unchanged, and is drawn as
 * a box.
 *
 * @param has returns whether the font contains a code point
 */
export const transliterate = (text: string, has: (codePoint: number) => boolean): string => {
  const isWritable = (piece: string): boolean => {
    for (const letter of piece) if (!has(letter.codePointAt(0) ?? 0)) return false;
    return true;
  };
  if (isWritable(text)) return text;
  return Array.from(segmenter.segment(text), ({ segment }) => {
    if (isWritable(segment)) return segment;
    const seen = segment.replace(UNSEEN, '').normalize('NFKC');
    if (isWritable(seen)) return seen;
    const spelt = anyAscii(seen);
    return spelt === '' && !LETTERS.test(seen) ? segment : spelt;
  }).join('');
};
