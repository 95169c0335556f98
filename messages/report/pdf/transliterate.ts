import anyAscii from 'any-ascii';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Joiners, variation selectors and direction marks, which are invisible. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters without a sound of their own may be dropped, as in `サーバー`; symbols may not. */
const LETTERS = /^[\p{L}\p{M}]+$/u;

/**
 * Rewrites a text in letters that a font has: missing letters are transliterated to Latin, emoji are replaced by their
 * names. A character with neither stays, and is drawn as a box.
 *
 * @param has whether the font has a code point
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
