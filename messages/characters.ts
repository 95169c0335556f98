/**
 * Characters that no text may carry into a message: control characters but tab and line feed, those that turn the
 * direction of what follows (embeddings, overrides, isolates), halves of pairs, and code points that are no characters.
 * Marks of direction stay: they turn nothing but themselves.
 */
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** A text of several lines without what could deceive its reader. Line breaks become line feeds. */
export const clean = (text: string): string => text.replace(/\r\n?|[\x85\u2028\u2029]/g, '\n').replace(UNWANTED, '');

/** A text on one line, no longer than so many characters as readers count them. */
export const oneLine = (text: string, most: number): string => shortened(clean(text).replace(/\s+/g, ' ').trim(), most);

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The beginning of a text, with an ellipsis if it is longer than so many characters as readers count them. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  let end = 0;
  let count = 0;
  // A character of readers has no end of code points: what is longer than four each on average is cut in one.
  for (const { index, segment } of segmenter.segment(text.slice(0, most * 4))) {
    count += 1;
    if (count === most) {
      const whole = index + segment.length >= text.length;
      return whole ? text : `${text.slice(0, end).trimEnd()}…`;
    }
    end = index + segment.length;
  }
  return end >= text.length
    ? text
    : `${text
        .slice(0, end)
        .replace(/\p{Surrogate}$/u, '')
        .trimEnd()}…`;
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
