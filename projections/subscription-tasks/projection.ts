import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import { nextChallenge } from '../../domain/subscriber/challenge.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A subscription that needs confirmation, which is the cause of one message to its address. */
export interface ConfirmationDocument {
  /** Id of the subscriber. */
  id: string;
  organization_id: string;
  /** Number of the subscription. */
  number: number;
  cause: Cause;
  /** Highest priority of messages. */
  priority: 'account';
  /** The message belongs to no series. */
  series: null;
  /** Time of the request. */
  caused_at: Instant;
  changed_position: number;
}

/** A webhook that must prove that it wants messages, by responding to a challenge. */
export interface ChallengeDocument {
  /** Id of the subscriber. */
  id: string;
  organization_id: string;
  number: number;
  /** number of failed challenges */
  failed: number;
  /** Due time of the next challenge. */
  due_at: Instant;
  changed_position: number;
}

/** A subscription that is removed at a time, unless it is confirmed or changed before. */
export interface PurgeDocument {
  /** Id of the subscriber. */
  id: string;
  organization_id: string;
  number: number;
  reason: 'unconfirmed' | 'quarantined';
  due_at: Instant;
  changed_position: number;
}

interface Models {
  confirmations: Model<ConfirmationDocument>;
  challenges: Model<ChallengeDocument>;
  purges: Model<PurgeDocument>;
}

type ConfirmationRequested = RecordedEventOf<'SubscriberAdded' | 'SubscriberConfirmationRequested'>;

const subscriptionOf = ({
  data,
  metadata,
  position,
}: ConfirmationRequested | RecordedEventOf<'SubscriberQuarantined'>) => ({
  id: data.subscriber_id,
  organization_id: metadata.organization_id ?? '',
  number: data.number,
  changed_position: Number(position),
});

const addConfirmation = (event: ConfirmationRequested, { confirmations, challenges }: Models, at: Instant): void => {
  const { asks, mode } = event.data;
  if (!asks) return;
  const own = subscriptionOf(event);
  if (mode === 'webhook') challenges.put({ ...own, failed: 0, due_at: at });
  else {
    const cause = { kind: SUBSCRIPTION_CONFIRMATION_CAUSE, id: event.id };
    confirmations.put({ ...own, cause, priority: 'account', series: null, caused_at: at });
  }
};

const forgotten = ({ data: { subscriber_id } }: { data: { subscriber_id: string } }, models: Models): void => {
  models.confirmations.delete(subscriber_id);
  models.challenges.delete(subscriber_id);
  models.purges.delete(subscriber_id);
};

/** The kind of cause that {@link ConfirmationDocument} represents (reactors/delivery/). */
export const SUBSCRIPTION_CONFIRMATION_CAUSE = 'subscription_confirmation';

/** The to-do lists of the reactors for subscriptions. */
export const subscriptionTasks = defineProjection({
  name: 'subscription_tasks',
  version: 1,
  log: 'main',
  collections: {
    confirmations: collection<ConfirmationDocument>({ indexes: [{ changed_position: 1 }] }),
    challenges: collection<ChallengeDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
    purges: collection<PurgeDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
  },
  documents: ({ data: { subscriber_id: id } }) => ({ confirmations: [id], challenges: [id], purges: [id] }),
  on: {
    SubscriberAdded: (event, models) => {
      forgotten(event, models);
      addConfirmation(event, models, event.data.added_at);
      const { verified, purge_at } = event.data;
      if (!verified && purge_at !== null)
        models.purges.put({ ...subscriptionOf(event), reason: 'unconfirmed', due_at: purge_at });
    },
    SubscriberConfirmationRequested: (event, models) => {
      addConfirmation(event, models, event.data.requested_at);
      const { purge_at } = event.data;
      const pending = models.purges.get(event.data.subscriber_id);
      // A new request postpones the purge only if the subscription is to be purged because it is unconfirmed.
      if (pending?.reason === 'unconfirmed' && purge_at !== null)
        models.purges.put({ ...pending, ...subscriptionOf(event), due_at: purge_at });
    },
    SubscriberVerified: forgotten,
    SubscriberUnsubscribed: forgotten,
    SubscriberDeleted: forgotten,
    SubscriberPurged: forgotten,
    SubscriberQuarantined: (event, { purges }) => {
      purges.put({ ...subscriptionOf(event), reason: 'quarantined', due_at: event.data.purge_at });
    },
    SubscriberReleased: ({ data: { subscriber_id } }, { purges }) => {
      purges.delete(subscriber_id);
    },
    SubscriberChallengeFailed: (event, { challenges }) => {
      const { subscriber_id, attempt, failed_at } = event.data;
      const challenge = challenges.get(subscriber_id);
      if (!challenge) return;
      const due_at = nextChallenge(attempt, failed_at);
      if (due_at === null) challenges.delete(subscriber_id);
      else challenges.put({ ...challenge, failed: attempt, due_at, changed_position: Number(event.position) });
    },
  },
});
