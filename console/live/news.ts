import type { Schemas } from '../api/openapi.d.ts';
import type { Message } from './messages.ts';

export type Change = Schemas['EventChange'];

/** What there is to hear of the stream. */
export type News =
  | { kind: 'changes'; changes: readonly Change[] }
  /** load these again; null: everything */
  | { kind: 'reset'; resources: readonly string[] | null }
  /** the stream is open again, so the service answers */
  | { kind: 'open' };

/** Makes synced tabs reload everything, as a `reset` of the service does. */
export const RESET_ALL: Message = { event: 'reset', data: '{"resources":null}', id: '' };

/** The position after some messages, where it was `before`; null: none is known. */
export const positionAfter = (messages: readonly Message[], before: string | null): string | null =>
  messages.reduce((position, { id }) => id || position, before);

/** The content of messages, in their order. Successive changes are one piece of news, so that screens merge them once. */
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
