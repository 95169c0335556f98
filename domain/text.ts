/**
 * Invisible characters: blanks and line breaks of every script, control and zero-width characters, direction marks, and
 * other default-ignorable characters (such as the Hangul filler U+3164, which otherwise counts as a letter). U+2800 is
 * the blank Braille pattern; U+FFF9 to U+FFFB delimit annotations.
 */
const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/** Whether a text has no visible characters. */
export const isBlank = (text: string): boolean => INVISIBLE.test(text);

export const NOT_BLANK = 'Must not be blank.';

/**
 * Trims characters from the end of a text in linear time. A regular expression such as `/[. ]+$/` would take quadratic
 * time if the text contains long sequences of these characters.
 *
 * @param isOfKind whether a character (UTF-16 unit) is trimmed
 */
export const trimmedEnd = (text: string, isOfKind: (character: string) => boolean): string => {
  let end = text.length;
  while (end > 0 && isOfKind(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** Whether a character is a full stop or a blank. */
export const isFullStopOrBlank = (character: string): boolean => character === '.' || character.trim() === '';
