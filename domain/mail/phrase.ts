/**
 * Maximum bytes of text in one encoded word. With `=?UTF-8?B?…?=` they give 64 characters, which leaves room for the name
 * of the header in a line of 76 (RFC 2047, 2, allows at most 75 per word).
 */
const BYTES_IN_A_WORD = 39;
/** Maximum characters between two blanks, at which a line can be folded. */
const LONGEST_TOKEN = 60;

/**
 * Formats a display name for a header (RFC 5322, 3.2.5): as a quoted string; or as encoded words (RFC 2047, 5) if it is
 * not ASCII, could be mistaken for an encoded word, or has no blanks at which to fold the line.
 */
export const phraseOf = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) && !name.includes('=?') && longestToken(name) <= LONGEST_TOKEN
    ? `"${name.replace(/["\\]/g, '\\$&')}"`
    : encodedWords(name);

const longestToken = (text: string): number => Math.max(...text.split(' ').map((token) => token.length));

/** Splits at character boundaries, since each encoded word is decoded separately. */
const encodedWords = (text: string): string => {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > BYTES_IN_A_WORD) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
};
