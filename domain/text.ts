/**
 * Invisible characters: blanks and line breaks of every script, control and zero-width characters, direction
 * marks, and fillers, which Unicode calls default-ignorable (the Hangul filler U+3164 counts as a letter
 * otherwise). U+2800 is the Braille pattern without a dot, U+FFF9 to U+FFFB frame annotations.
 */
const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/** Whether a text has nothing that a reader could see. */
export const isBlank = (text: string): boolean => INVISIBLE.test(text);

export const NOT_BLANK = 'Must not be blank.';

/**
 * A text without characters of a kind at its end. It reads each character once, where a regular expression such as
 * `/[. ]+$/` takes quadratic time for a run of them that does not end the text.
 *
 * @param isOfKind whether a UTF-16 unit is left out
 */
export const withoutEnd = (text: string, isOfKind: (character: string) => boolean): string => {
  let end = text.length;
  while (end > 0 && isOfKind(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** Whether a character ends a sentence, or is blank. */
export const isFullStopOrBlank = (character: string): boolean => character === '.' || character.trim() === '';
