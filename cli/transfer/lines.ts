import { open } from 'node:fs/promises';
import { unusableFile } from './format.ts';

/** A complete line of a file. A line is complete if it ends with a line feed. */
export interface Line {
  /** the line without the line feed */
  bytes: Buffer;
  /** offset of the next line in the file */
  end: number;
}

const CHUNK = 1_048_576;
/**
 * Maximum length of a line in bytes. It is greater than that of any event (`MAX_APPEND_BYTES`). The limit prevents a
 * file of another kind from being read into memory.
 */
const LONGEST_LINE = 16 * 1_048_576;
const LINE_FEED = 10;

/**
 * Yields the complete lines of a file, in chunks. Text after the last line feed is ignored, because its writer was
 * interrupted.
 *
 * @param from number of bytes to skip; must be the start of a line
 */
export async function* linesOf(file: string, from = 0): AsyncGenerator<Line[], void, undefined> {
  const handle = await open(file, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (let position = from, start = from; ;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const read = buffer.subarray(0, bytesRead);
      const text = rest.length === 0 ? read : Buffer.concat([rest, read]);
      const lines: Line[] = [];
      let begin = 0;
      for (let end = text.indexOf(LINE_FEED); end !== -1; end = text.indexOf(LINE_FEED, begin)) {
        lines.push({ bytes: text.subarray(begin, end), end: start + end + 1 });
        begin = end + 1;
      }
      rest = text.subarray(begin);
      if (rest.length > LONGEST_LINE) throw unusableFile(file, 'is not an exported log of Uptrail.');
      start += begin;
      if (lines.length > 0) yield lines;
    }
  } finally {
    await handle.close();
  }
}
