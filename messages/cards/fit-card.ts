import { oneLine, shortened } from '../characters.ts';
import { transliterate } from '../report/pdf/transliterate.ts';
import { breakLines } from '../report/pdf/line-breaking.ts';
import { CARD, CARD_LAYOUT, type Card, type FittedCard } from './card.ts';

export type CardWeight = 'regular' | 'bold';

/** The characters of the card font, and their widths. */
export interface CardFont {
  has: (codePoint: number) => boolean;
  /** returns the width of a text in pixels */
  widthOf: (text: string, size: number, weight: CardWeight) => number;
}

const WIDTH = CARD.width - 2 * CARD_LAYOUT.margin;
/** Maximum length of a text in UTF-16 units, more than fits on a card. */
const LONGEST = 300;

/** Replaces characters that the font does not contain, and truncates texts that would not fit into the picture. */
export const fittedCard = (card: Card, font: CardFont): FittedCard => {
  const written = (text: string): string => oneLine(transliterate(oneLine(text, LONGEST), font.has), LONGEST);
  const line = (text: string, size: number, weight: CardWeight): string =>
    cutTo(written(text), (piece) => font.widthOf(piece, size, weight) <= WIDTH);
  const { page, title, detail, foot } = CARD_LAYOUT;
  const detailText = written(card.detail);
  return {
    state: card.state,
    rightToLeft: card.rightToLeft,
    page: line(card.page, page.size, 'bold'),
    title: titleOf(written(card.title), title.sizes, font),
    detail: detailText === '' ? [] : inLines(detailText, detail.size, 'regular', detail.lines, font).lines,
    foot: line(card.foot, foot.size, 'regular'),
  };
};

/**
 * Breaks the title into lines, in the largest font size in which the title fits. A title that does not fit in the
 * smallest size is truncated.
 */
const titleOf = (text: string, sizes: readonly number[], font: CardFont): FittedCard['title'] => {
  const [size = 0, ...smaller] = sizes;
  const { lines, whole } = inLines(text, size, 'bold', CARD_LAYOUT.title.lines, font);
  return whole || smaller.length === 0 ? { size, lines } : titleOf(text, smaller, font);
};

const inLines = (
  text: string,
  size: number,
  weight: CardWeight,
  most: number,
  font: CardFont,
): { lines: readonly string[]; whole: boolean } => {
  const fits = (piece: string): boolean => font.widthOf(piece, size, weight) <= WIDTH;
  const all = breakLines(text, WIDTH, (piece) => font.widthOf(piece, size, weight));
  if (all.length <= most) return { lines: all, whole: true };
  const last = all.slice(most - 1).join(' ');
  return { lines: [...all.slice(0, most - 1), cutTo(last, fits)], whole: false };
};

/**
 * Returns the text if it fits. Otherwise returns the longest beginning of the text that fits together with an ellipsis.
 */
const cutTo = (text: string, fits: (piece: string) => boolean): string => {
  if (fits(text)) return text;
  let [fitting, tooMany] = [0, text.length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(shortened(text, middle))) fitting = middle;
    else tooMany = middle;
  }
  return shortened(text, fitting);
};
