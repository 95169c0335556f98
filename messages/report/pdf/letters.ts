import anyAscii from 'any-ascii';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Joiners, variation selectors and marks of direction, which show nothing themselves. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters that have no sound of their own may vanish, as in `サーバー`; signs may not. */
const LETTERS = /^[\p{L}\p{M}]+$/u;

/**
 * A text in letters that a font has: what it lacks is written in Latin letters as it sounds, an emoji by its name. What
 * has neither stays, and shows as a box.
 *
 * @param has whether the font has a code point
 */
export const inLettersOf = (text: string, has: (codePoint: number) => boolean): string => {
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
