import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type {
  ConfirmationRequestsDocument,
  SmsConfirmationCountDocument,
  DeletedPageDocument,
  SubscriberDocument,
} from './documents.ts';

interface Models {
  subscribers: Model<SubscriberDocument>;
  deleted_pages: Model<DeletedPageDocument>;
  asked_addresses: Model<ConfirmationRequestsDocument>;
  asked_days: Model<SmsConfirmationCountDocument>;
}

type ConfirmationRequested = RecordedEventOf<'SubscriberAdded' | 'SubscriberConfirmationRequested'>;

/** Returns the id of the document with the count of a day. */
export const smsDay = (at: Instant): string => `sms/${at.slice(0, 'yyyy-mm-dd'.length)}`;

/** Maximum number of times that are stored per address. This number exceeds all limits per day. */
const MAX_REQUEST_TIMES = 100;

const timeOf = (event: ConfirmationRequested): Instant =>
  event.type === 'SubscriberAdded' ? event.data.added_at : event.data.requested_at;

const countConfirmationRequests = (event: ConfirmationRequested, { asked_addresses, asked_days }: Models): void => {
  const { asks, address_key, mode } = event.data;
  if (!asks || mode === 'webhook') return;
  const at = timeOf(event);
  const before = asked_addresses.get(address_key)?.asked ?? [];
  asked_addresses.put({ id: address_key, asked: [...before, at].slice(-MAX_REQUEST_TIMES) });
  if (mode === 'sms') asked_days.put({ id: smsDay(at), count: (asked_days.get(smsDay(at))?.count ?? 0) + 1 });
};

/** Adds the derived fields to a document. */
const complete = (
  document: Omit<SubscriberDocument, 'receives' | 'listed' | 'narrowed' | 'place'>,
): SubscriberDocument => ({
  ...document,
  receives: document.status === 'active' && document.deliver_notifications,
  listed: document.status !== 'unsubscribed',
  narrowed: document.component_ids !== null,
  place: `${document.created_at}/${document.id}`,
});

type Changing = Exclude<
  Extract<EventType, `Subscriber${string}`>,
  'SubscriberAdded' | 'SubscriberDeleted' | 'SubscriberPurged'
>;

const change = (
  { data, position }: RecordedEventOf<Changing>,
  { subscribers }: Models,
  at: Instant,
  changed: (before: SubscriberDocument) => Partial<SubscriberDocument>,
): void => {
  const before = subscribers.get(data.subscriber_id);
  if (!before) return;
  subscribers.put(complete({ ...before, ...changed(before), updated_at: at, changed_position: Number(position) }));
};

const remove = (
  { data }: RecordedEventOf<'SubscriberDeleted' | 'SubscriberPurged'>,
  { subscribers }: Pick<Models, 'subscribers'>,
): void => {
  subscribers.delete(data.subscriber_id);
};

/** Subscribers of pages, and the counts that limit new subscriptions. */
export const subscribers = defineProjection({
  name: 'subscribers',
  version: 3,
  log: 'main',
  collections: {
    subscribers: collection<SubscriberDocument>({
      indexes: [
        { page_id: 1 },
        { page_id: 1, receives: 1, id: 1 },
        { page_id: 1, receives: 1, mode: 1, narrowed: 1, incident_id: 1, added_with_key: 1 },
        { page_id: 1, listed: 1, place: -1 },
        { page_id: 1, status: 1, requested_at: 1 },
        { page_id: 1, status: 1, mode: 1, place: -1 },
        { incident_id: 1 },
        { purge_at: 1 },
      ],
    }),
    deleted_pages: collection<DeletedPageDocument>({ indexes: [{ changed_position: 1 }] }),
    asked_addresses: collection<ConfirmationRequestsDocument>({ indexes: [] }),
    asked_days: collection<SmsConfirmationCountDocument>({ indexes: [] }),
  },
  documents: (event) => {
    if (event.type === 'PageDeleted') return { deleted_pages: [event.data.page_id] };
    const subscribers = [event.data.subscriber_id];
    switch (event.type) {
      case 'SubscriberAdded':
      case 'SubscriberConfirmationRequested':
        return {
          subscribers,
          deleted_pages: [event.data.page_id],
          asked_addresses: [event.data.address_key],
          asked_days: [smsDay(timeOf(event))],
        };
      default:
        return { subscribers };
    }
  },
  on: {
    SubscriberAdded: (event, models) => {
      const { data, metadata, position } = event;
      const { subscriber_id: id, page_id, number, mode, address, contact_email, phone_country, secret, target } = data;
      const { component_ids, incident_id, deliver_notifications, added_with_key, verified, purge_at, added_at } = data;
      models.subscribers.put(
        complete({
          id,
          organization_id: metadata.organization_id ?? '',
          page_id,
          number,
          mode,
          status: verified ? 'active' : 'pending',
          address,
          contact_email,
          phone_country,
          secret,
          former_secret: null,
          component_ids,
          incident_id,
          deliver_notifications,
          added_with_key,
          skip_confirmation_notification: data.skip_confirmation_notification,
          verified_position: verified ? Number(position) : null,
          verified_at: verified ? added_at : null,
          requested_at: verified ? null : added_at,
          awaits_confirmation: !verified,
          failed_challenges: 0,
          purge_at,
          quarantined_at: null,
          target,
          // If the previous subscription of the address has ended but was not deleted, keep the time of that
          // subscription.
          known_since: models.subscribers.get(id)?.known_since ?? added_at,
          created_at: added_at,
          updated_at: added_at,
          changed_position: Number(position),
        }),
      );
      const deleted = models.deleted_pages.get(page_id);
      if (deleted) models.deleted_pages.put({ ...deleted, changed_position: Number(position) });
      countConfirmationRequests(event, models);
    },
    SubscriberConfirmationRequested: (event, models) => {
      const { requested_at, purge_at, secret, added_with_key } = event.data;
      change(event, models, requested_at, (before) => ({
        requested_at,
        awaits_confirmation: true,
        failed_challenges: 0,
        purge_at: before.status === 'pending' ? purge_at : before.purge_at,
        added_with_key,
        secret: secret ?? before.secret,
      }));
      countConfirmationRequests(event, models);
    },
    SubscriberVerified: (event, models) => {
      const { component_ids, incident_id, verified_at } = event.data;
      change(event, models, verified_at, (before) => ({
        status: 'active',
        awaits_confirmation: false,
        component_ids,
        incident_id,
        verified_at: before.verified_at ?? verified_at,
        verified_position: before.verified_position ?? Number(event.position),
        purge_at: null,
        quarantined_at: null,
      }));
    },
    SubscriberChanged: (event, models) => {
      change(event, models, event.data.changed_at, () => event.data.changes);
    },
    SubscriberUnsubscribed: (event, models) => {
      change(event, models, event.data.unsubscribed_at, () => ({
        status: 'unsubscribed',
        awaits_confirmation: false,
        purge_at: null,
        quarantined_at: null,
      }));
    },
    SubscriberQuarantined: (event, models) => {
      const { quarantined_at, purge_at } = event.data;
      change(event, models, quarantined_at, () => ({ status: 'quarantined', quarantined_at, purge_at }));
    },
    SubscriberReleased: (event, models) => {
      change(event, models, event.data.released_at, () => ({
        status: 'active',
        awaits_confirmation: false,
        quarantined_at: null,
        purge_at: null,
      }));
    },
    SubscriberSecretRotated: (event, models) => {
      const { secret, former_until, rotated_at } = event.data;
      change(event, models, rotated_at, (before) => ({
        secret,
        former_secret: before.secret && { secret: before.secret, until: former_until },
      }));
    },
    SubscriberChallengeFailed: (event, models) => {
      change(event, models, event.data.failed_at, () => ({ failed_challenges: event.data.attempt }));
    },
    SubscriberDeleted: remove,
    SubscriberPurged: remove,
    PageDeleted: ({ data, metadata, position }, { deleted_pages }) => {
      const organization_id = metadata.organization_id ?? '';
      deleted_pages.put({ id: data.page_id, organization_id, changed_position: Number(position) });
    },
  },
});
