import { notFound } from '../../domain/existence.ts';
import type { Narrowing, SubscriberMode } from '../../domain/subscriber/events.ts';
import { followedUntil, hourBefore } from '../../domain/subscriber/retention-periods.ts';
import type { Instant } from '../../domain/time.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { smsDay, subscribers } from '../../projections/subscribers/projection.ts';
import { matching, oneOf } from '../engine/filters.ts';
import { findNamedComponents } from './components.ts';
import { findPage } from './pages.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** The ids of a subscriber and of its page. */
export interface SubscriberIds {
  page_id: string;
  subscriber_id: string;
}

/** Finds a subscriber, even one who has unsubscribed. @throws NotFound */
export const findSubscriber = async (
  scope: ReadScope,
  { page_id, subscriber_id }: SubscriberIds,
): Promise<SubscriberDocument> => {
  const [, subscriber] = await Promise.all([
    findPage(scope, page_id),
    scope.read(subscribers).subscribers.get(subscriber_id),
  ]);
  if (subscriber?.page_id !== page_id) throw notFound('subscriber');
  return subscriber;
};

export interface SubscriberFilters {
  /** Matches any of these values. */
  mode?: readonly SubscriberMode[];
  /** Matches any of these values. Default: all except `unsubscribed`. */
  status?: readonly SubscriberDocument['status'][];
}

/** Number of subscribers per query. */
export const SUBSCRIBER_BATCH_SIZE = 1_000;

/** Reads the subscribers of a page in batches of 1,000, newest first. By default, omits those who have unsubscribed. */
export const readSubscribersInPages = async function* (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  filters: SubscriberFilters,
): AsyncGenerator<SubscriberDocument[]> {
  const { subscribers: all } = read(subscribers);
  const matched = { page_id, ...matching({ mode: oneOf, status: oneOf }, filters) };
  // Listed and unsubscribed subscribers are two parts of an index. Each part is in the order of the list, so both are
  // read and merged.
  const parts = [...new Set(filters.status?.map((status) => status !== 'unsubscribed') ?? [true])];
  for (let after: string | null = null; ;) {
    const where = { ...matched, ...(after !== null && { place: { $lt: after } }) };
    const found: SubscriberDocument[] = newestOf(
      await Promise.all(
        parts.map((listed) =>
          all.find({ where: { ...where, listed }, sort: { place: -1 }, limit: SUBSCRIBER_BATCH_SIZE }),
        ),
      ),
    );
    yield found;
    if (found.length < SUBSCRIBER_BATCH_SIZE) return;
    after = found.at(-1)?.place ?? null;
  }
};

/** Merges lists, and returns the first batch of the result. */
const newestOf = (lists: SubscriberDocument[][]): SubscriberDocument[] =>
  lists.length === 1
    ? (lists[0] ?? [])
    : lists
        .flat()
        .sort((one, other) => (one.place < other.place ? 1 : -1))
        .slice(0, SUBSCRIBER_BATCH_SIZE);

/** Returns when a subscription will be removed, or null if it will not be removed. */
export type PurgeTimes = (
  subscription: Pick<SubscriberDocument, 'incident_id' | 'purge_at'>,
) => Promise<Instant | null>;

/**
 * Creates a function that returns when subscriptions are removed: at their own `purge_at`, or after the end of the
 * incident that they belong to. Reads each incident once.
 */
export const createPurgeTimes = ({ read }: Pick<ReadScope, 'read'>): PurgeTimes => {
  const ends = new Map<string, Promise<Instant | null>>();
  const endOf = (incidentId: string): Promise<Instant | null> => {
    const end =
      ends.get(incidentId) ??
      read(incidents)
        .ended_incidents.get(incidentId)
        .then((ended) => ended?.due_at ?? null);
    ends.set(incidentId, end);
    return end;
  };
  return async ({ incident_id, purge_at }) => {
    const end = incident_id === null ? null : await endOf(incident_id);
    return end !== null && (purge_at === null || end < purge_at) ? end : purge_at;
  };
};

/** The counts that limit new subscriptions. */
export interface SignUpCounts {
  /** Number of unconfirmed subscriptions to the page by visitors in the last hour. */
  unconfirmed: number;
  /** Times at which a confirmation was requested from the address, for any page. */
  asked: readonly Instant[];
  /** Number of confirmations that were requested by SMS on this UTC day. */
  smsToday: number;
}

/**
 * Reads the counts that limit a new subscription of an address. Subscriptions that other processes have recorded are
 * counted as far as the read model has caught up.
 */
export const readSignUpCounts = async (
  scope: Pick<Scope, 'read' | 'now'>,
  { page_id, address_key }: { page_id: string; address_key: string },
): Promise<SignUpCounts> => {
  const { read, now } = scope;
  const [unconfirmed, asked, smsToday] = await Promise.all([
    read(subscribers).subscribers.count({
      page_id,
      status: 'pending',
      requested_at: { $gte: hourBefore(now) },
      added_with_key: false,
    }),
    readConfirmationRequestTimes(scope, address_key),
    countSmsConfirmationsToday(scope),
  ]);
  return { unconfirmed, asked, smsToday };
};

/** Returns the times at which a confirmation was requested from an address, for any page. */
export const readConfirmationRequestTimes = async (
  { read }: Pick<Scope, 'read'>,
  addressKey: string,
): Promise<readonly Instant[]> => (await read(subscribers).asked_addresses.get(addressKey))?.asked ?? [];

/** Returns the number of confirmations that were requested by SMS on this UTC day. */
export const countSmsConfirmationsToday = async ({ read, now }: Pick<Scope, 'read' | 'now'>): Promise<number> =>
  (await read(subscribers).asked_days.get(smsDay(now)))?.count ?? 0;

/**
 * Returns the errors of the components and the incident that a subscription is limited to, by field.
 *
 * @param present current components of the subscription; they are accepted even if they were removed
 */
export const scopeProblems = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  { id: page_id }: PageDocument,
  { component_ids, incident_id }: Partial<Narrowing>,
  present: readonly string[] = [],
): Promise<Record<string, string[]>> => {
  const added = (component_ids ?? []).filter((id) => !present.includes(id));
  const known = await findNamedComponents({ read }, page_id, added);
  const wrong = [...new Set(added)]
    .filter((id) => !known.has(id))
    .map((id) => `There is no component ${id} on this page.`);
  const incident = typeof incident_id === 'string' ? await read(incidents).incidents.get(incident_id) : null;
  const missing = typeof incident_id === 'string' && incident?.page_id !== page_id;
  const over = incident?.resolved_at != null && followedUntil(incident.resolved_at) <= now;
  return {
    ...(wrong.length > 0 && { component_ids: wrong }),
    ...(missing && { incident_id: ['There is no such incident on this page.'] }),
    ...(!missing && over && { incident_id: ['This incident is resolved.'] }),
  };
};
