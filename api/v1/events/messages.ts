import { unescapedText } from '../../../domain/sealed.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { eventText } from '../../../http/media/event-stream.ts';
import { ANY_ID, receives, type ResourceChange } from './changes.ts';
import { hasRows } from './rows.ts';
import type { Row } from './schema.ts';

/** Maximum number of changes of one kind of resource in a message; beyond that the message says `reset`. */
export const MAX_CHANGES_PER_RESOURCE = 500;

/** The content of a message before it is filtered for an audience. */
export interface MessageContent {
  /** kinds of resources of which too many have changed, or for which it is unknown which changed */
  reset: readonly string[];
  /** the other changes, encoded as JSON */
  changes: readonly { resource: string; text: string }[];
}

/** Reads the list rows of resources of one kind, by id. */
export type ReadRows = (resource: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

/** Joins changes with their rows and encodes each once. @throws whatever `readRows` throws */
export const contentOf = async (changes: readonly ResourceChange[], readRows: ReadRows): Promise<MessageContent> => {
  const byResource = new Map<string, ResourceChange[]>();
  for (const change of changes) {
    const alike = byResource.get(change.resource) ?? [];
    byResource.set(change.resource, alike);
    alike.push(change);
  }
  const reset: string[] = [];
  const texts: { resource: string; text: string }[] = [];
  const pause = timeSlices();
  for (const [resource, alike] of byResource) {
    if (alike.length > MAX_CHANGES_PER_RESOURCE || alike.some(({ id }) => id === ANY_ID)) {
      reset.push(resource);
      continue;
    }
    const ids = alike.flatMap(({ id, change }) => (change === 'deleted' ? [] : [id]));
    const rows = ids.length > 0 && hasRows(resource) ? await readRows(resource, ids) : NO_ROWS;
    for (const change of alike) {
      const row = rows.get(change.id);
      texts.push({ resource, text: unescapedText(row === undefined ? change : { ...change, row }) });
      await pause();
    }
  }
  return { reset, changes: texts };
};

const NO_ROWS: ReadonlyMap<string, Row> = new Map();

/** The messages for an audience (changes.ts); empty if it may read none of the changes. */
export const messagesFor = ({ reset, changes }: MessageContent, audience: string, id: string): string => {
  const resources = reset.filter((resource) => receives(audience, resource));
  const texts = changes.flatMap(({ resource, text }) => (receives(audience, resource) ? [text] : []));
  return [
    ...(resources.length > 0 ? [resetText(resources, id)] : []),
    ...(texts.length > 0 ? [eventText({ event: 'change', id, data: `{"changes":[${texts.join(',')}]}` })] : []),
  ].join('');
};

/** @param resources kinds of resources to reload; null: all */
export const resetText = (resources: readonly string[] | null, id: string): string =>
  eventText({ event: 'reset', id, data: JSON.stringify({ resources }) });

export const readyText = (id: string): string => eventText({ event: 'ready', id, data: '{}' });
export const keepAliveText = (id: string): string => eventText({ event: 'beat', id, data: '{}' });

/** Reconnection delay, milliseconds, with jitter so that clients do not reconnect simultaneously. */
const RECONNECT = { least: 1_000, spread: 3_000 };

export const retryText = (): string => `retry: ${RECONNECT.least + Math.floor(Math.random() * RECONNECT.spread)}\n\n`;
