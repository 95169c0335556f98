import type { Writable } from 'node:stream';

/** Where a command writes its lines. */
export interface Output {
  /** Writes a line; resolves when the reader at the other end can take the next one. */
  line: (text: string) => Promise<void>;
  /** true when people watch: it can show a progress bar */
  terminal: boolean;
  /** width of the terminal in characters */
  size?: () => { rows: number; columns: number };
}

/** Writes lines to a stream, as fast as its reader takes them. */
export const outputTo = (stream: Writable & { isTTY?: boolean; rows?: number; columns?: number }): Output => ({
  terminal: stream.isTTY === true,
  size: () => ({ rows: stream.rows ?? 24, columns: stream.columns ?? 80 }),
  line: (text) =>
    stream.write(`${text}\n`)
      ? Promise.resolve()
      : new Promise((resolve) => {
          stream.once('drain', resolve);
        }),
});

/** Ends the program quietly when its reader has gone, as in `uptrail replay | head`. */
export const endWithReader = (stream: Writable): void => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
};

/** Text from elsewhere must not control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd');

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
