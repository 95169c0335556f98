import { Invalid } from '../../domain/errors.ts';
import { SUBSCRIBER_MODES } from '../../domain/subscriber/events.ts';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { Instant } from '../../domain/time.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { anyOf } from '../engine/filters.ts';
import { skipAndLimitOf, type Listing, type Paging } from '../engine/listing.ts';
import type { ReadScope } from '../engine/scope.ts';
import { readSubscribersInPages, type SubscriberFilters } from './subscribers.ts';

type QueryScope = Pick<ReadScope, 'read'>;

const LISTED = ['pending', 'active', 'quarantined'] as const satisfies readonly SubscriberDocument['status'][];

/** Maximum number of addresses that a search decrypts, which takes about a second. */
const MOST_SEARCHED = 50_000;

/** Lists the subscribers of a page, newest first. Reads only the requested part of the list, and counts the others. */
export const listSubscribers = async (
  { read }: QueryScope,
  { id: page_id }: Pick<PageDocument, 'id'>,
  filters: SubscriberFilters,
  paging: Paging,
): Promise<Listing<SubscriberDocument>> => {
  const model = read(subscribers).subscribers;
  const where = { page_id, ...whereOf(filters), ...notAfter(paging) };
  const [ids, total] = await Promise.all([
    model.pick(['id'], { where, sort: { place: -1 }, ...skipAndLimitOf(paging) }),
    model.count(where),
  ]);
  return { items: await model.getMany(ids.map(({ id }) => id)), total };
};

/**
 * Creates a condition that an index covers (projections/subscribers). There is one index for lists with filters, and
 * one for lists without filters.
 */
const whereOf = ({ mode, status }: SubscriberFilters): Where =>
  mode || status ? { status: anyOf(status ?? LISTED), mode: anyOf(mode ?? SUBSCRIBER_MODES) } : { listed: true };

/**
 * Excludes subscribers added after `until`. A `place` is `{created_at}/{id}`, and `0` is the character after the slash,
 * so all places with the time `until` are less than `{until}0`.
 */
const notAfter = ({ until }: Paging): Where => (until === undefined ? {} : { place: { $lt: `${until}0` } });

/** Tests whether a subscriber matches filters. */
export const matchesSubscriberFilters = (
  { status, mode }: Pick<SubscriberDocument, 'status' | 'mode'>,
  { mode: modes, status: statuses = LISTED }: SubscriberFilters,
): boolean => statuses.includes(status) && (modes?.includes(mode) ?? true);

interface Search {
  /** Decrypts the address of a subscriber, and tests whether it matches the search. */
  matches: (subscriber: SubscriberDocument) => Promise<boolean>;
  /** Excludes subscribers that subscribed after this time. */
  until: Instant | undefined;
  /** Aborted when the caller does not wait any more. */
  signal: AbortSignal;
}

/**
 * Finds the ids of the subscribers whose address matches, newest first. Addresses are stored encrypted, so all of them
 * must be decrypted, in time slices.
 *
 * @throws Invalid if there are too many addresses to decrypt
 */
export const findSubscribersByAddress = async (
  scope: QueryScope,
  page: PageDocument,
  filters: SubscriberFilters,
  { until, matches, signal }: Search,
): Promise<string[]> => {
  const { total } = await listSubscribers(scope, page, filters, { page: 1, size: 1 });
  if (total > MOST_SEARCHED) throw new Invalid({ query: { q: [TOO_MANY] } }, 'The query is invalid.');
  const pause = timeSlices(signal);
  const found: string[] = [];
  const isInTime = ({ created_at }: SubscriberDocument): boolean => until === undefined || created_at <= until;
  for await (const some of readSubscribersInPages(scope, page, filters)) {
    for (let from = 0; from < some.length; from += AT_ONCE) {
      const slice = some.slice(from, from + AT_ONCE).filter(isInTime);
      const matching = await Promise.all(slice.map(matches));
      for (const [index, { id }] of slice.entries()) if (matching[index] === true) found.push(id);
      await pause();
    }
  }
  return found;
};

/** Number of addresses that are decrypted together, with one request to a remote key store. */
const AT_ONCE = 100;

const TOO_MANY = `This page has more than ${MOST_SEARCHED.toLocaleString('en')} subscribers. Send a complete address, or filter by mode and status.`;

/** Reads a page of search results. Omits subscribers that were deleted in the meantime. */
export const listFoundSubscribers = async (
  { read }: QueryScope,
  ids: readonly string[],
  paging: Paging | null,
): Promise<Listing<SubscriberDocument>> => {
  const { skip = 0, limit = ids.length } = paging ? skipAndLimitOf(paging) : {};
  return { items: await read(subscribers).subscribers.getMany(ids.slice(skip, skip + limit)), total: ids.length };
};
