const LINE_FEED = 10;
/** Maximum length of a line in bytes. It is greater than that of any event (`MAX_APPEND_BYTES`). */
const LONGEST_LINE = 16 * 1_048_576;

/**
 * Splits chunks into lines, without the line feeds.
 *
 * @throws Error a line is too long, or the last line has no line feed
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  /** the beginning of a line, in parts that are joined at its end */
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LONGEST_LINE) throw new Error('it contains a line that is not an event');
  }
  if (length > 0) throw new Error('it ends within a line');
}
