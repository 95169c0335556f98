import type { Schemas } from '../api/openapi.d.ts';
import type { Message } from './event-stream-parser.ts';

export type Change = Schemas['EventChange'];

/** An event for subscribers of the stream. */
export type News =
  | { kind: 'changes'; changes: readonly Change[] }
  /** reload these; null: everything */
  | { kind: 'reset'; resources: readonly string[] | null }
  /** the stream is open again, so the service is available */
  | { kind: 'open' };

/** Makes synced tabs reload everything, like a `reset` from the service. */
export const RESET_ALL: Message = { event: 'reset', data: '{"resources":null}', id: '' };

/** The position after messages that follow position `before`; null: unknown. */
export const positionAfter = (messages: readonly Message[], before: string | null): string | null =>
  messages.reduce((position, { id }) => id || position, before);

/** The content of messages, in order. Consecutive changes are combined, so that screens merge them once. */
export const newsOf = (messages: readonly Message[]): News[] => {
  const news: News[] = [];
  let changes: Change[] | null = null;
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
