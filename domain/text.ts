/**
 * Invisible characters: blanks and line breaks of every script, control and zero-width characters, direction
 * marks, and fillers, which Unicode calls default-ignorable (the Hangul filler U+3164 counts as a letter
 * otherwise). U+2800 is the Braille pattern without a dot, U+FFF9 to U+FFFB frame annotations.
 */
const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/** Whether a text has nothing that a reader could see. */
export const isBlank = (text: string): boolean => INVISIBLE.test(text);

export const NOT_BLANK = 'Must not be blank.';
