import type { Writable } from 'node:stream';

/** Where a command writes its lines. */
export interface Output {
  /**
   * Writes a line; resolves when the reader at the other end can take the next one. A program writes what could control
   * a terminal, or hide text there, as {@link escaped} does: a line of JSON says the same as before.
   */
  line: (text: string) => Promise<void>;
  /** Writes a line that controls the terminal; absent: `line` does so too. What comes from elsewhere in it must be escaped. */
  controlling?: (text: string) => Promise<void>;
  /** true when people watch: it can show a progress bar */
  terminal: boolean;
  /** width of the terminal in characters */
  size?: () => { rows: number; columns: number };
}

/** Writes lines to a stream, as fast as its reader takes them. */
export const outputTo = (stream: Writable & { isTTY?: boolean; rows?: number; columns?: number }): Output => {
  const write = (text: string): Promise<void> =>
    stream.write(`${text}\n`)
      ? Promise.resolve()
      : new Promise((resolve) => {
          stream.once('drain', resolve);
        });
  return {
    terminal: stream.isTTY === true,
    size: () => ({ rows: stream.rows ?? 24, columns: stream.columns ?? 80 }),
    line: (text) => write(escapedLines(text)),
    controlling: write,
  };
};

/** Ends the program quietly when its reader has gone, as in `uptrail replay | head`. */
export const endWithReader = (stream: Writable): void => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
};

/**
 * What a terminal takes for a command, or what hides or reorders text: control and format characters (bidirectional
 * controls, zero-width characters, tags), line and paragraph separators, lone surrogates, and letters without a shape.
 * Signs that stand before numbers in some scripts are format characters too, but are seen (Unicode: Cf,
 * Prepended_Concatenation_Mark).
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u3164\uffa0]|(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])\p{Cf}/gu;

/** Text from elsewhere must not control the terminal, nor show something else than it says. */
export const printable = (text: string): string => text.replace(UNSEEN, '\ufffd');

/** The same, as escapes of JSON and JavaScript: `\u202e`. */
export const escaped = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character === '\n'
      ? '\\n'
      : Array.from({ length: character.length }, (_, index) => escapeOf(character.charCodeAt(index))).join(''),
  );

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Each line of a text {@link escaped}. */
export const escapedLines = (text: string): string => text.split('\n').map(escaped).join('\n');

/** Rows in columns under headings, for people. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
