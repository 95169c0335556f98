/** An event of a stream, parsed by the rules of the HTML standard (section 9.2.6, Interpreting an event stream). */
export interface StreamMessage {
  event: string;
  data: string;
  /** the latest id in the stream so far, which an earlier event may have carried; empty: none */
  id: string;
}

/** An incremental parser for server-sent events. */
export interface MessageReader {
  /** returns the events that this part of the text completes */
  read: (text: string) => StreamMessage[];
  /** returns the requested reconnection delay in milliseconds; null: the stream has sent none */
  retry: () => number | null;
}

export const createMessageReader = (): MessageReader => {
  let rest = '';
  let id = '';
  let retry: number | null = null;
  let event = '';
  let data: string[] = [];

  const field = (line: string): void => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  };

  const ended = (): StreamMessage[] => {
    const message = { event: event || 'message', data: data.join('\n'), id };
    const isEmpty = data.length === 0;
    event = '';
    data = [];
    return isEmpty ? [] : [message];
  };

  return {
    read: (text) => {
      // A carriage return at the end may be the first half of a CR LF whose line feed is in the next part.
      const [, whole = '', last = ''] = /^([^]*(?:\n|\r(?=[^])))?([^]*)$/.exec(rest + text) ?? [];
      rest = last;
      const lines = whole.split(/\r\n|\n|\r/).slice(0, -1);
      return lines.flatMap((line) => {
        if (line === '') return ended();
        field(line);
        return [];
      });
    },
    retry: () => retry,
  };
};
