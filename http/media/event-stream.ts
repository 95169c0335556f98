import type { Streamed } from './content.ts';

/** One event of a stream, as a browser's `EventSource` takes it. */
export interface ServerSentEvent {
  /** without line breaks; default: `message` */
  event?: string;
  /** what a browser names in `Last-Event-ID` when it comes back; without line breaks */
  id?: string;
  data: string;
}

/** The body of an event stream: one piece per event. */
export const eventStream = (events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): Streamed =>
  async function* (signal) {
    for await (const event of events(signal)) yield eventText(event);
  };

/** One event as it is sent. @throws Error a name or id with a line break */
export const eventText = ({ event, id, data }: ServerSentEvent): string => {
  const fields = [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n\n`;
};

/** @throws Error a text that would begin another field */
const oneLine = (text: string): string => {
  if (/[\r\n\0]/.test(text)) throw new Error('The name and the id of an event have no line breaks.');
  return text;
};
