/**
 * Characters that no text may carry into a message: control characters but tab and line feed, those that turn the
 * direction of what follows (embeddings, overrides, isolates), halves of pairs, and code points that are no characters.
 * Marks of direction stay: they turn nothing but themselves.
 */
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** A text of several lines without what could deceive its reader. Line breaks become line feeds. */
export const clean = (text: string): string => text.replace(/\r\n?|[\x85\u2028\u2029]/g, '\n').replace(UNWANTED, '');

/**
 * A text of people within a sentence, on one line and in its own direction: it turns nothing around it (UAX 9, first
 * strong isolate).
 */
export const isolated = (text: string): string => `\u2068${clean(text).replace(/\s+/g, ' ').trim()}\u2069`;

/** A text on one line, no longer than so many UTF-16 units. */
export const oneLine = (text: string, most: number): string => shortened(clean(text).replace(/\s+/g, ' ').trim(), most);

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** UTF-16 units of what readers see as one character; the longest emoji have 35. */
const LONGEST_CHARACTER = 64;

/**
 * The beginning of a text, with an ellipsis if it is longer than so many UTF-16 units. It ends where a character ends
 * as readers see it, be it a family of emoji.
 */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const from = boundaryBefore(text, most - LONGEST_CHARACTER);
  let end = from;
  for (const { index, segment } of segmenter.segment(text.slice(from, most + LONGEST_CHARACTER))) {
    if (from + index + segment.length >= most) break;
    end = from + index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
};

/** How far back a place is looked for from which on a text is split into characters, which takes a while. */
const LOOKED_BACK = 256;

/** Neighbours that are never one character, whatever is around them (UAX 29, 3.1). */
const NEIGHBOURS = /[ -~\p{Script=Han}](?=[ -~\p{Script=Han}])/u;

/** The end of a character before a place in a text; 0 where none is known near it. */
const boundaryBefore = (text: string, place: number): number => {
  const from = Math.max(0, place - LOOKED_BACK);
  const found = from === 0 ? null : NEIGHBOURS.exec(text.slice(from, place));
  return found ? from + found.index + found[0].length : 0;
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, in an element or in a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
