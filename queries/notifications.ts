import type { SubscriberMode } from '../domain/subscriber/events.ts';
import type { Instant } from '../domain/time.ts';
import { deliveries, type DeliveryDocument } from '../projections/deliveries/projection.ts';
import type { PageDocument } from '../projections/pages/documents.ts';
import type { SubscriberDocument } from '../projections/subscribers/documents.ts';
import { subscribers } from '../projections/subscribers/projection.ts';
import { FORGOTTEN } from '../stores/keys/port.ts';
import type { Where } from '../stores/read-store/port.ts';
import { exactly, matching, oneOf, oneOfWhere, type Match } from './engine/filters.ts';
import { joinItems, readListing, type Listing, type Paging } from './engine/listing.ts';
import { readMaskedAddress } from './pages/recipients.ts';
import type { Scope } from './engine/scope.ts';

/**
 * The delivery status of a message (docs/reference/subscribers.md#notification-log). A `superseded` message was not
 * delivered, because a newer message on the same subject replaced it.
 */
export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed', 'retrying', 'superseded'] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** A sent or pending message from a page to one subscriber. */
export interface Notification {
  id: string;
  page_id: string;
  subscriber_id: string;
  mode: SubscriberMode;
  /** Masked address, or `[forgotten]` after the subscription was deleted or purged. */
  recipient: string;
  event: string;
  incident_id: string | null;
  incident_update_id: string | null;
  status: NotificationStatus;
  retry_count: number;
  response_code: number | null;
  error_message: string | null;
  created_at: Instant;
  sent_at: Instant | null;
}

interface NotificationFilters {
  /** Matches any of these values. */
  status?: readonly NotificationStatus[];
  /** Matches any of these values. */
  mode?: readonly SubscriberMode[];
  incident_id?: string;
}

const STATUS_OF: Readonly<Record<NotificationStatus, Where>> = {
  pending: { status: 'planned', attempt_count: 0 },
  retrying: { status: 'planned', attempt_count: { $gt: 0 } },
  sent: { status: 'delivered' },
  failed: { status: 'given_up', 'given_up.because': { $ne: 'superseded' } },
  superseded: { status: 'given_up', 'given_up.because': 'superseded' },
};

/** Lists the most recently changed messages of pages of all organizations; on request, only failed messages. */
export const listLatestNotifications = async (
  { read }: Pick<Scope, 'read'>,
  {
    failed,
    page,
    incident,
    limit,
  }: { failed: boolean; page?: string | undefined; incident?: string | undefined; limit: number },
): Promise<DeliveryDocument[]> => {
  const which = { page_id: page ?? { $ne: null }, ...(incident !== undefined && { incident_id: incident }) };
  const statuses: readonly Where[] = failed
    ? [STATUS_OF.failed]
    : [{ status: 'planned' }, { status: 'delivered' }, { status: 'given_up' }];
  // There is a query for each status, because the index is by status.
  const found = await Promise.all(
    statuses.map((status) =>
      read(deliveries).deliveries.find({ where: { ...status, ...which }, sort: { updated_at: -1 }, limit }),
    ),
  );
  return found
    .flat()
    .sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1))
    .slice(0, limit);
};

const byStatus: Match<readonly NotificationStatus[]> = (_, statuses) =>
  oneOfWhere(statuses.map((status) => STATUS_OF[status]));
const byNotifier: Match<readonly SubscriberMode[]> = (_, modes) => oneOf('notifier', modes);

/** Lists the messages of a page to its subscribers within the retention period of results, newest first. */
export const listNotifications = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { id: page_id }: PageDocument,
  filters: NotificationFilters,
  paging: Paging,
): Promise<Listing<Notification>> => {
  const chosen = matching({ status: byStatus, mode: byNotifier, incident_id: exactly }, filters);
  const select = { where: { page_id, ...chosen }, sort: { created_at: -1 } } as const;
  const found = await readListing(scope.read(deliveries).deliveries, select, paging);
  return joinItems(found, async (items) => {
    const ids = [...new Set(items.map(({ receiver_id }) => receiver_id))];
    const known = new Map((await scope.read(subscribers).subscribers.getMany(ids)).map((one) => [one.id, one]));
    return async (delivery) => {
      const recipient = await recipientOf(delivery, known.get(delivery.receiver_id), scope);
      return notificationOf(delivery, recipient);
    };
  });
};

/** Returns the masked recipient. Hides the recipient of a message that is older than the current subscription. */
const recipientOf = async (
  { created_at }: DeliveryDocument,
  subscriber: SubscriberDocument | undefined,
  scope: Pick<Scope, 'organizationId' | 'keys'>,
): Promise<string> => {
  if (!subscriber || subscriber.known_since > created_at) return FORGOTTEN;
  return readMaskedAddress(subscriber, scope);
};

const notificationOf = (delivery: DeliveryDocument, recipient: string): Notification => {
  const { id, receiver_id, notifier, event, incident_id, incident_update_id } = delivery;
  const { attempt_count, attempts, status, given_up, created_at, updated_at } = delivery;
  const last = attempts.at(-1);
  return {
    id,
    page_id: delivery.page_id ?? '',
    subscriber_id: receiver_id,
    mode: notifier as SubscriberMode,
    recipient,
    event: event ?? '',
    incident_id,
    incident_update_id,
    status: notificationStatus(delivery),
    retry_count: Math.max(0, attempt_count - 1),
    response_code: last?.response_code ?? null,
    error_message: given_up?.error_message ?? last?.error_message ?? null,
    created_at,
    sent_at: status === 'delivered' ? updated_at : null,
  };
};

/** Converts the status of a delivery to a status of the notification log. */
export const notificationStatus = ({
  status,
  attempt_count,
  given_up,
}: Pick<DeliveryDocument, 'status' | 'attempt_count' | 'given_up'>): NotificationStatus => {
  switch (status) {
    case 'planned':
      return attempt_count === 0 ? 'pending' : 'retrying';
    case 'delivered':
      return 'sent';
    case 'given_up':
      return given_up?.because === 'superseded' ? 'superseded' : 'failed';
  }
};
