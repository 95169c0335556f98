/**
 * Maximum bytes of text in one encoded word. Together with `=?UTF-8?B?…?=`, an encoded word then has 64 characters. RFC
 * 2047, 2 allows 75, but the name of the header must fit into the same line of 76 characters.
 */
const BYTES_IN_A_WORD = 39;
/** Maximum number of characters between two blanks. Lines can be folded only at blanks. */
const LONGEST_TOKEN = 60;

/**
 * Formats a display name for a header as a quoted string (RFC 5322, 3.2.5). The result consists of encoded words (RFC
 * 2047, 5) instead if the name is not ASCII, could be mistaken for an encoded word, or has too few blanks to fold the
 * line.
 */
export const phraseOf = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) && !name.includes('=?') && longestToken(name) <= LONGEST_TOKEN
    ? `"${name.replace(/["\\]/g, '\\$&')}"`
    : encodedWords(name);

const longestToken = (text: string): number => Math.max(...text.split(' ').map((token) => token.length));

/** Splits the text only between whole characters, because each encoded word is decoded separately. */
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
