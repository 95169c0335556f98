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

/** The most addresses that a search decrypts, which takes about a second. */
const MOST_SEARCHED = 50_000;

/** One page of the subscribers of a page, newest first. Reads only those on it; the others are counted. */
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

/** Conditions that an index covers (projections/subscribers): one for the unfiltered list, one for its filters. */
const whereOf = ({ mode, status }: SubscriberFilters): Where =>
  mode || status ? { status: anyOf(status ?? LISTED), mode: anyOf(mode ?? SUBSCRIBER_MODES) } : { listed: true };

/** A place in the list is `{created_at}/{id}`; in text order, `0` follows the slash. */
const notAfter = ({ until }: Paging): Where => (until === undefined ? {} : { place: { $lt: `${until}0` } });

/** Whether a subscriber belongs to the list with these filters. */
export const matchesSubscriberFilters = (
  { status, mode }: Pick<SubscriberDocument, 'status' | 'mode'>,
  { mode: modes, status: statuses = LISTED }: SubscriberFilters,
): boolean => statuses.includes(status) && (modes?.includes(mode) ?? true);

interface Search {
  /** decrypts and compares the address of a subscriber */
  matches: (subscriber: SubscriberDocument) => Promise<boolean>;
  /** only those that subscribed at this time or earlier */
  until: Instant | undefined;
  /** aborted when the caller no longer waits */
  signal: AbortSignal;
}

/**
 * Ids of the subscribers whose address matches, newest first. Addresses are stored encrypted, so all of them are
 * decrypted, in slices.
 *
 * @throws Invalid if there are too many to decrypt
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

/** Addresses decrypted together: a remote key store receives one request for them. */
const AT_ONCE = 100;

const TOO_MANY = `This page has more than ${MOST_SEARCHED.toLocaleString('en')} subscribers. Send a complete address, or filter by mode and status.`;

/** A page of search results; omits subscribers deleted meanwhile. */
export const listFoundSubscribers = async (
  { read }: QueryScope,
  ids: readonly string[],
  paging: Paging | null,
): Promise<Listing<SubscriberDocument>> => {
  const { skip = 0, limit = ids.length } = paging ? skipAndLimitOf(paging) : {};
  return { items: await read(subscribers).subscribers.getMany(ids.slice(skip, skip + limit)), total: ids.length };
};
