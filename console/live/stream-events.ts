import type { Schemas } from '../api/openapi.d.ts';
import type { StreamMessage } from './event-stream-parser.ts';

export type StreamedChange = Schemas['EventChange'];

/** An event for subscribers of the stream. */
export type StreamEvent =
  | { kind: 'changes'; changes: readonly StreamedChange[] }
  /** resource types to reload; null: all */
  | { kind: 'reset'; resources: readonly string[] | null }
  /** the stream is open again, so the service is available */
  | { kind: 'open' };

/** Makes synced tabs reload everything, like a `reset` from the service. */
export const RESET_ALL: StreamMessage = { event: 'reset', data: '{"resources":null}', id: '' };

/** Returns the position after messages that follow position `before`, or null if no message has an id yet. */
export const positionAfter = (messages: readonly StreamMessage[], before: string | null): string | null =>
  messages.reduce((position, { id }) => id || position, before);

/** Returns the content of messages, in order. Consecutive changes are combined, so that screens merge them once. */
export const streamEventsOf = (messages: readonly StreamMessage[]): StreamEvent[] => {
  const news: StreamEvent[] = [];
  let changes: StreamedChange[] | null = null;
  for (const { event, data } of messages) {
    if (event === 'change') {
      if (!changes) news.push({ kind: 'changes', changes: (changes = []) });
      for (const change of (JSON.parse(data) as Schemas['EventChanges']).changes) changes.push(change);
    }
    if (event === 'reset') {
      changes = null;
      news.push({ kind: 'reset', resources: (JSON.parse(data) as { resources: string[] | null }).resources });
    }
  }
  return news;
};
