import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import * as assert from 'uvu/assert';
import { eventually } from '../../../waiting.ts';

export interface Message {
  event: string;
  id: string;
  data: unknown;
}

/** A change that a message contains. */
export interface NamedChange {
  resource: string;
  id: string;
  page_id: string | null;
  change: string;
  row?: Record<string, unknown>;
}

const messageIn = (text: string): Message => {
  const fields = new Map(text.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
  };
};

/** Opens an event stream, which must succeed. */
export const openEvents = async (
  port: number,
  key: string,
  { since, from, path = '/v1/events' }: { since?: string; from?: string; path?: string } = {},
) => {
  const clientRequest = get({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    ...(from !== undefined && { localAddress: from }),
    headers: {
      accept: 'text/event-stream',
      authorization: key,
      ...(since !== undefined && { 'last-event-id': since }),
    },
  });
  const [incoming] = (await once(clientRequest, 'response')) as [IncomingMessage];
  assert.is(incoming.statusCode, 200);
  assert.is(incoming.headers['content-type'], 'text/event-stream');
  let text = '';
  const state = { ended: false };
  incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
  incoming.on('error', () => undefined);
  incoming.on('close', () => (state.ended = true));
  const messages = (): Message[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((one) => one.includes('event: '))
      .map(messageIn);
  const changes = (): NamedChange[] =>
    messages().flatMap(({ event, data }) => (event === 'change' ? (data as { changes: NamedChange[] }).changes : []));
  return {
    headers: incoming.headers,
    text: () => text,
    messages,
    changes,
    /** Waits for a message with this event name. */
    received: (event: string): Promise<Message> => eventually(() => messages().find((one) => one.event === event)),
    /** Waits for a message with a change of a resource. */
    named: (resource: string, id: string, change?: string): Promise<NamedChange> =>
      eventually(
        () =>
          changes().findLast(
            (one) => one.resource === resource && one.id === id && (change ?? one.change) === one.change,
          ),
        { what: `${resource} ${id} is named` },
      ),
    /** returns the id of the newest message */
    last: (): string => messages().at(-1)?.id ?? '',
    ended: () => eventually(() => state.ended),
    hasEnded: () => state.ended,
    leave: () => incoming.destroy(),
  };
};

export type Events = Awaited<ReturnType<typeof openEvents>>;
