import type { Writable } from 'node:stream';

/** Receives the lines that a command prints. */
export interface Output {
  /**
   * Writes a line. Resolves when the reader is ready for the next line. Characters that could control a terminal or
   * hide text are escaped like in {@link escaped}. This does not change the meaning of a line of JSON.
   */
  line: (text: string) => Promise<void>;
  /**
   * Writes a line that is allowed to control the terminal. Text from outside must be escaped before the call. If this
   * function is absent, use `line` instead.
   */
  controlling?: (text: string) => Promise<void>;
  /** whether the output is a terminal, so that a progress bar is useful */
  terminal: boolean;
  /** returns the size of the terminal, in characters */
  size?: () => { rows: number; columns: number };
  /** Lets the command finish if the reader closes the stream. Further lines are then dropped. */
  outliveReader?: () => void;
}

/**
 * Creates an output that writes lines to a stream, with backpressure.
 *
 * @param readerGone called when the reader closes the stream, unless `outliveReader` was called before
 */
export const outputTo = (
  stream: Writable & { isTTY?: boolean; rows?: number; columns?: number },
  readerGone: () => void = () => undefined,
): Output => {
  let outlives = false;
  let isGone = false;
  const waiting = new Set<() => void>();
  const release = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  stream.on('drain', release);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isGone) return;
    if (error.code !== 'EPIPE') throw error;
    isGone = true;
    if (!outlives) readerGone();
    release();
  });
  const write = (text: string): Promise<void> =>
    isGone || stream.write(`${text}\n`)
      ? Promise.resolve()
      : new Promise((resolve) => {
          waiting.add(resolve);
        });
  return {
    terminal: stream.isTTY === true,
    size: () => ({ rows: stream.rows ?? 24, columns: stream.columns ?? 80 }),
    line: (text) => write(escapedLines(text)),
    controlling: write,
    outliveReader: () => {
      outlives = true;
    },
  };
};

/**
 * Matches characters that a terminal interprets, or that hide or reorder text: control and format characters
 * (bidirectional controls, zero-width characters, tags), line and paragraph separators, lone surrogates, and letters
 * without a glyph. Some format characters are excluded because they are visible: signs that precede numbers in some
 * scripts (Unicode: Cf, Prepended_Concatenation_Mark).
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u3164\uffa0]|(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])\p{Cf}/gu;

/** Replaces unseen characters by U+FFFD, so that external text can't control the terminal or disguise its content. */
export const printable = (text: string): string => text.replace(UNSEEN, '\ufffd');

/** Escapes unseen characters as in JSON and JavaScript: `\u202e`. */
export const escaped = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character === '\n'
      ? '\\n'
      : Array.from({ length: character.length }, (_, index) => escapeOf(character.charCodeAt(index))).join(''),
  );

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Escapes each line of a text with {@link escaped}. */
export const escapedLines = (text: string): string => text.split('\n').map(escaped).join('\n');

/** Formats rows as columns under headings, for a terminal. */
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
