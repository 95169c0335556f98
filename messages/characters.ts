/**
 * Characters that are removed from every message text: control characters except tab and line feed, direction controls
 * that affect following text (embeddings, overrides, isolates), unpaired surrogates and noncharacters. Direction marks
 * are not removed, because they have no effect on following text.
 */
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** Removes characters that could deceive readers from a multi-line text, and converts all line breaks to line feeds. */
export const clean = (text: string): string => text.replace(/\r\n?|[\x85\u2028\u2029]/g, '\n').replace(UNWANTED, '');

/**
 * Returns an untrusted text for use within a sentence: on one line, and isolated in direction, so that it cannot
 * reorder the text around it (UAX 9, first strong isolate).
 */
export const isolated = (text: string): string => `\u2068${clean(text).replace(/\s+/g, ' ').trim()}\u2069`;

/** Returns a text on one line, truncated to `most` UTF-16 units. */
export const oneLine = (text: string, most: number): string => shortened(clean(text).replace(/\s+/g, ' ').trim(), most);

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Maximum length of a grapheme cluster in UTF-16 units. The longest emoji have 35. */
const LONGEST_CHARACTER = 64;

/**
 * Returns a text truncated to `most` UTF-16 units, with an ellipsis if the text was longer. A grapheme cluster, such as
 * a family emoji, is never split.
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

/** Number of UTF-16 units before a position in which `boundaryBefore` searches for a grapheme boundary. */
const LOOKBEHIND_LENGTH = 256;

/** Two characters that never form one grapheme cluster, whatever surrounds them (UAX 29, 3.1). */
const NEIGHBOURS = /[ -~\p{Script=Han}](?=[ -~\p{Script=Han}])/u;

/**
 * Returns a grapheme boundary shortly before a position; 0 if the function finds no boundary. Segmentation is slow, so
 * `shortened` starts it at this boundary instead of at the beginning of the text.
 */
const boundaryBefore = (text: string, place: number): number => {
  const from = Math.max(0, place - LOOKBEHIND_LENGTH);
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

/** Returns a text escaped for HTML content and quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
