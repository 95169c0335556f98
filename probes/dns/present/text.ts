/*
 * The presentation format of strings (RFC 1035, 5.1). Unprintable bytes are escaped as `\009`, special characters as
 * `\"`.
 */

/** Escapes bytes for use between quotes. */
export const escaped = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[^ !#-[\]-~]/g, (character) =>
      '"\\'.includes(character) ? `\\${character}` : `\\${character.charCodeAt(0).toString().padStart(3, '0')}`,
    );

export const quotedString = (bytes: Buffer): string => `"${escaped(bytes)}"`;

/** Decodes a text in presentation format. */
export const unescaped = (text: string): Buffer =>
  Buffer.concat(
    [...text.matchAll(/\\(25[0-5]|2[0-4]\d|[01]\d\d)|\\(.)|[^\\]+|\\$/gsu)].map(([whole, code, character]) =>
      code === undefined ? Buffer.from(character ?? whole) : Buffer.of(Number(code)),
    ),
  );

/**
 * A word of a text in presentation format. `text` is without the quotes around the word, but still contains escapes.
 */
export interface Word {
  text: string;
  quoted: boolean;
}

/** Splits a text into words at white space outside quotes: `key="a b"` is one word. */
export const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/"((?:\\.|[^"\\])*)"|(?:\\.|"(?:\\.|[^"\\])*"|[^\s\\]|\\$)+/gs)].map(([whole, inner]) =>
    inner === undefined ? { text: whole, quoted: false } : { text: inner, quoted: true },
  );
