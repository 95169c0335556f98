import { unescapedText } from '../../../domain/sealed.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { eventText } from '../../../http/media/event-stream.ts';
import { ANY_ID, receives, type ResourceChange } from './changes.ts';
import { hasRows } from './rows.ts';
import type { Row } from './schema.ts';

/**
 * Maximum number of changes of one kind of resource in a message. If there are more, a `reset` message replaces them.
 */
export const MAX_CHANGES_PER_RESOURCE = 500;

/** The content of a message before it is filtered for an audience. */
export interface MessageContent {
  /**
   * Kinds of resources that clients must reload, because too many of them have changed or it is unknown which have
   * changed.
   */
  reset: readonly string[];
  /** Changes of the other kinds of resources, each encoded as JSON. */
  changes: readonly { resource: string; text: string }[];
}

/** Reads the list rows of resources of one kind, by id. */
export type ReadRows = (resource: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

/** Adds the list rows to changes, and encodes each change. @throws any error of `readRows` */
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

/** Returns the messages for an audience (changes.ts) as text, which is empty if the audience receives no change. */
export const messagesFor = ({ reset, changes }: MessageContent, audience: string, id: string): string => {
  const resources = reset.filter((resource) => receives(audience, resource));
  const texts = changes.flatMap(({ resource, text }) => (receives(audience, resource) ? [text] : []));
  return [
    ...(resources.length > 0 ? [resetText(resources, id)] : []),
    ...(texts.length > 0 ? [eventText({ event: 'change', id, data: `{"changes":[${texts.join(',')}]}` })] : []),
  ].join('');
};

/** @param resources kinds of resources to reload, or null for all */
export const resetText = (resources: readonly string[] | null, id: string): string =>
  eventText({ event: 'reset', id, data: JSON.stringify({ resources }) });

export const readyText = (id: string): string => eventText({ event: 'ready', id, data: '{}' });
export const keepAliveText = (id: string): string => eventText({ event: 'beat', id, data: '{}' });

/** Reconnection delay, in milliseconds. It is random, so that clients do not all reconnect at the same time. */
const RECONNECT = { least: 1_000, spread: 3_000 };

export const retryText = (): string => `retry: ${RECONNECT.least + Math.floor(Math.random() * RECONNECT.spread)}\n\n`;
