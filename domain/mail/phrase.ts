/**
 * Bytes of a text in one encoded word: with `=?UTF-8?B?…?=` around them they have 64 characters, so that the name of
 * the header has room beside them in a line of 76 (RFC 2047, 2; at most 75 are allowed).
 */
const BYTES_IN_A_WORD = 39;
/** Characters between two blanks, where a line can be folded. */
const LONGEST_TOKEN = 60;

/**
 * A name as it stands before an address or an identifier in a header (RFC 5322, 3.2.5): in quotation marks, or as
 * encoded words (RFC 2047, 5), where it is not ASCII, could be read as one, or has no blanks to fold a line at.
 */
export const phraseOf = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) && !name.includes('=?') && longestToken(name) <= LONGEST_TOKEN
    ? `"${name.replace(/["\\]/g, '\\$&')}"`
    : encodedWords(name);

const longestToken = (text: string): number => Math.max(...text.split(' ').map((token) => token.length));

/** Words of whole characters, since each is decoded by itself. */
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
