import type { StreamedContent } from './content.ts';

/** A server-sent event. */
export interface ServerSentEvent {
  /** type of the event, without line breaks; default: `message` */
  event?: string;
  /** id, without line breaks; browsers send it as `Last-Event-ID` when they reconnect */
  id?: string;
  data: string;
}

/** Returns the body of an event stream. Each event is sent as one chunk. */
export const eventStream = (events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): StreamedContent =>
  async function* (signal) {
    for await (const event of events(signal)) yield eventText(event);
  };

/**
 * Encodes an event.
 *
 * @throws Error the type or id has a line break
 */
export const eventText = ({ event, id, data }: ServerSentEvent): string => {
  const fields = [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n\n`;
};

/**
 * Returns the text unchanged.
 *
 * @throws Error the text contains a line break, so it would start another field
 */
const oneLine = (text: string): string => {
  if (/[\r\n\0]/.test(text)) throw new Error('The name and the id of an event must not contain line breaks.');
  return text;
};
