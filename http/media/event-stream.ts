import type { StreamedContent } from './content.ts';

/** A server-sent event. */
export interface ServerSentEvent {
  /** without line breaks; default: `message` */
  event?: string;
  /** sent by browsers as `Last-Event-ID` when they reconnect; without line breaks */
  id?: string;
  data: string;
}

/** The body of an event stream: one chunk per event. */
export const eventStream = (events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): StreamedContent =>
  async function* (signal) {
    for await (const event of events(signal)) yield eventText(event);
  };

/** Encodes an event. @throws Error the name or id has a line break */
export const eventText = ({ event, id, data }: ServerSentEvent): string => {
  const fields = [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n\n`;
};

/** @throws Error the text would start another field */
const oneLine = (text: string): string => {
  if (/[\r\n\0]/.test(text)) throw new Error('The name and the id of an event must not contain line breaks.');
  return text;
};
