import type { Coordination, FailedItem } from '../../stores/coordination/port.ts';
import type { Read } from '../../projections/readers.ts';
import { requestRetry, readHaltReason, readCheckpoint } from './checkpoint.ts';
import type { ReactorDefinition } from './define.ts';
import type { WaitingItems } from './work.ts';

/** The state of a reactor, from the stores only. Any process can read it, even if no service is running. */
export interface ReactorListing {
  name: string;
  /** `new`: a service is running, but the reactor was never active; `idle`: no service is running */
  state: 'active' | 'halted' | 'idle' | 'new';
  /** position up to which all changes in the log of the to-do list are handled, or stored as failed items */
  handled: number;
  /** items that wait for their first attempt; null if the reactor was never active or its list cannot be read now */
  waiting: number | null;
  /** items that failed and are being retried */
  retrying: number;
  /** items that failed permanently */
  given_up: number;
  /** age of the oldest item that waits or is being retried; null if there is no such item or its age is unknown */
  oldest_seconds: number | null;
}

export interface ReactorListingOptions {
  coordination: Pick<Coordination, 'read' | 'failedItems'>;
  /** milliseconds since 1970 */
  now: number;
  /** whether a process that runs reactors is running */
  serviceRuns: boolean;
}

/** Reads the state of reactors. The result is sorted by name. */
export const listReactors = async (
  reactors: readonly Pick<ReactorDefinition, 'name' | 'waiting'>[],
  read: Read,
  { coordination, now, serviceRuns }: ReactorListingOptions,
): Promise<ReactorListing[]> => {
  const { failedItems } = coordination;
  const isHalted = (await readHaltReason(coordination)) !== null;
  const counts = new Map((await failedItems.counts()).map((count) => [count.reactor, count]));
  const listing = async ({
    name,
    waiting: look,
  }: Pick<ReactorDefinition, 'name' | 'waiting'>): Promise<ReactorListing> => {
    const checkpoint = await readCheckpoint(coordination, name);
    const { retrying = 0, given_up = 0, retrying_since = null } = counts.get(name) ?? {};
    const find = (ids: readonly string[]) => failedItems.find(name, ids);
    const progress = checkpoint && { checkpoint, failed: retrying + given_up, find };
    // A list that cannot be read, for example because it is being rebuilt, must not hide the other reactors.
    const waiting: WaitingItems | null = progress ? await look(read)(progress, now).catch(() => null) : null;
    const since = [waiting?.since ?? null, retrying_since].filter((time) => time !== null);
    return {
      name,
      state: isHalted ? 'halted' : !serviceRuns ? 'idle' : checkpoint ? 'active' : 'new',
      handled: checkpoint?.handled ?? 0,
      waiting: waiting?.items ?? null,
      retrying,
      given_up,
      oldest_seconds: since.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...since)) / 1_000)),
    };
  };
  return (await Promise.all(reactors.map(listing))).sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** A failed item and the name of its reactor. */
export interface FailedItemListing extends FailedItem {
  reactor: string;
}

/** Number of items read in one query. */
const PAGE = 500;
/**
 * Maximum number of items skipped per reactor because they have not failed. In a mass outage, tens of thousands of
 * stored items have not failed, but wait for their target.
 */
const MOST_SKIPPED = 10_000;

/**
 * Returns whether an item was attempted, or an operator requested its retry. Other stored items have not failed: they
 * wait for their due time or their target.
 */
const hasFailed = ({ tries, again }: FailedItem): boolean => tries > 0 || again === 0;

/** Reads up to `limit` failed items of a reactor. Stops after 10,000 skipped items that have not failed. */
const failedOf = async (
  reactor: string,
  state: FailedItem['state'],
  { failedItems }: Pick<Coordination, 'failedItems'>,
  limit: number,
): Promise<FailedItem[]> => {
  const failed: FailedItem[] = [];
  let after: string | null = null;
  for (let skipped = 0; skipped < MOST_SKIPPED && failed.length < limit;) {
    const page: FailedItem[] = await failedItems.page(reactor, { after, limit: PAGE, state });
    const some = page.filter(hasFailed);
    failed.push(...some);
    skipped += page.length - some.length;
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  return failed.slice(0, limit);
};

/** Reads up to `limit` failed items of reactors. Items that failed permanently come first. */
export const listFailedItems = async (
  reactors: readonly string[],
  coordination: Pick<Coordination, 'failedItems'>,
  limit: number,
): Promise<FailedItemListing[]> => {
  const found: FailedItemListing[] = [];
  for (const state of ['given_up', 'retrying'] as const) {
    for (const reactor of reactors) {
      if (found.length >= limit) return found;
      const failed = await failedOf(reactor, state, coordination, limit - found.length);
      found.push(...failed.map((item) => ({ ...item, reactor })));
    }
  }
  return found;
};

/**
 * Requests that a reactor retries one or all of its failed items, with their attempts counted from 0. If the reactor is
 * running in any process, it notices the request within ten seconds. Otherwise, it notices the request when it starts.
 *
 * @param id the item; null for all items
 * @param request an id that is new for each call
 * @returns the number of items to be retried
 */
export const retryItems = async (
  coordination: Pick<Coordination, 'read' | 'write' | 'failedItems'>,
  reactor: string,
  id: string | null,
  request: string,
): Promise<number> => {
  const items = await coordination.failedItems.retry(reactor, id);
  if (items > 0) await requestRetry(coordination, reactor, request);
  return items;
};
