import { InvalidServiceMessage } from './errors.ts';

/** Maximum number of characters in one event. A run with its script is much smaller. */
const MAX_LENGTH = 8_388_608;

/**
 * Yields the data of each event of a stream (WHATWG HTML, 9.2 Server-sent events). Skips comments, and fields other
 * than `data`.
 *
 * @throws InvalidServiceMessage an event is longer than allowed
 */
export async function* eventsIn(
  chunks: AsyncIterable<Uint8Array>,
  most = MAX_LENGTH,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  /** the beginning of an incomplete line */
  let partial: string[] = [];
  let data: string[] = [];
  let size = 0;

  const count = (characters: number): void => {
    size += characters;
    if (size > most) throw new InvalidServiceMessage(`The service has sent an event of more than ${most} characters.`);
  };

  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      count(end - from);
      const line = withoutReturn([...partial, text.slice(from, end)].join(''));
      partial = [];
      from = end + 1;
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
      if (data.length === 0) size = 0;
    }
    if (from === text.length) continue;
    count(text.length - from);
    partial.push(text.slice(from));
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
