import type { EventData, EventOf } from '../../../domain/event-types.ts';
import type { Sealed } from '../../../domain/sealed.ts';

export const SUBSCRIBER = 'sub000000001';
export const PAGE = 'page00000001';
export const INCIDENT = 'inc000000001';

export const ADDED_AT = '2026-11-20T15:00:00.000000';
export const LATER = '2026-11-20T16:00:00.000000';
/** seven days after {@link ADDED_AT} */
export const UNCONFIRMED_UNTIL = '2026-11-27T15:00:00.000000';

export const sealedUnder = (number: number, text: string): Sealed => ({
  key: `subscriber-${SUBSCRIBER}-${number}`,
  sealed: text,
});

const which = (number: number) => ({ subscriber_id: SUBSCRIBER, page_id: PAGE, number });

export const subscriberAdded = (more: Partial<EventData['SubscriberAdded']> = {}): EventOf<'SubscriberAdded'> => {
  const number = more.number ?? 1;
  return {
    type: 'SubscriberAdded',
    data: {
      ...which(number),
      mode: 'email',
      address: sealedUnder(number, 'the address'),
      contact_email: null,
      phone_country: null,
      secret: null,
      target: 'the target',
      component_ids: null,
      incident_id: null,
      asks: true,
      address_key: 'the address, whatever the page',
      deliver_notifications: true,
      added_with_key: false,
      skip_confirmation_notification: false,
      verified: false,
      purge_at: UNCONFIRMED_UNTIL,
      added_at: ADDED_AT,
      ...more,
    },
  };
};

export const webhookAdded = (more: Partial<EventData['SubscriberAdded']> = {}): EventOf<'SubscriberAdded'> =>
  subscriberAdded({ mode: 'webhook', secret: sealedUnder(more.number ?? 1, 'the secret'), ...more });

export const confirmationRequested = (
  more: Partial<EventData['SubscriberConfirmationRequested']> = {},
): EventOf<'SubscriberConfirmationRequested'> => ({
  type: 'SubscriberConfirmationRequested',
  data: {
    ...which(1),
    mode: 'email',
    asks: true,
    address_key: 'the address, whatever the page',
    wanted: { component_ids: null, incident_id: null },
    secret: null,
    added_with_key: false,
    purge_at: '2026-11-27T16:00:00.000000',
    requested_at: LATER,
    ...more,
  },
});

export const subscriberVerified = (
  more: Partial<EventData['SubscriberVerified']> = {},
): EventOf<'SubscriberVerified'> => ({
  type: 'SubscriberVerified',
  data: { ...which(1), component_ids: null, incident_id: null, verified_at: LATER, ...more },
});

export const subscriberChanged = (
  changes: EventData['SubscriberChanged']['changes'],
  previous: EventData['SubscriberChanged']['previous'],
): EventOf<'SubscriberChanged'> => ({
  type: 'SubscriberChanged',
  data: { ...which(1), changes, previous, changed_at: LATER },
});

export const subscriberUnsubscribed = (number = 1): EventOf<'SubscriberUnsubscribed'> => ({
  type: 'SubscriberUnsubscribed',
  data: { ...which(number), unsubscribed_at: LATER },
});

export const subscriberDeleted = (number = 1, keys_from = 1): EventOf<'SubscriberDeleted'> => ({
  type: 'SubscriberDeleted',
  data: { ...which(number), keys_from, deleted_at: LATER },
});

export const subscriberQuarantined = (): EventOf<'SubscriberQuarantined'> => ({
  type: 'SubscriberQuarantined',
  data: {
    ...which(1),
    reason: 'The address does not exist.',
    quarantined_at: LATER,
    purge_at: '2027-02-18T16:00:00.000000',
  },
});

export const subscriberReleased = (): EventOf<'SubscriberReleased'> => ({
  type: 'SubscriberReleased',
  data: { ...which(1), released_at: LATER },
});

export const subscriberPurged = (
  reason: EventData['SubscriberPurged']['reason'] = 'unconfirmed',
  number = 1,
): EventOf<'SubscriberPurged'> => ({
  type: 'SubscriberPurged',
  data: { ...which(number), keys_from: 1, reason, purged_at: LATER },
});

export const secretRotated = (): EventOf<'SubscriberSecretRotated'> => ({
  type: 'SubscriberSecretRotated',
  data: {
    ...which(1),
    secret: sealedUnder(1, 'another secret'),
    former_until: '2026-11-21T16:00:00.000000',
    rotated_at: LATER,
  },
});

export const challengeFailed = (attempt = 1): EventOf<'SubscriberChallengeFailed'> => ({
  type: 'SubscriberChallengeFailed',
  data: { ...which(1), attempt, reason: 'hook.example answered 404.', failed_at: LATER },
});
