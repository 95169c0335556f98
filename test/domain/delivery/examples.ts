import type { EventOf } from '../../../domain/event-types.ts';
import { causeKey, deliveryIdOf, type AttemptMade, type Cause } from '../../../domain/delivery/events.ts';
import { ORGANIZATION } from '../check/examples.ts';

/** Events of one delivery, for tests. */
export const CAUSE: Cause = { kind: 'incident_update', id: 'update000001' };
export const RECEIVER = 'subscriber01';
export const DELIVERY = deliveryIdOf(CAUSE, RECEIVER);
export const PLANNED_AT = '2026-11-20T15:00:00.000000';
export const NOT_AFTER = '2026-11-21T15:00:00.000000';
export const FAN_OUT = causeKey(CAUSE);

const named = { delivery_id: DELIVERY, organization_id: ORGANIZATION, cause: CAUSE };

export const deliveryPlanned = (
  fields: Partial<EventOf<'DeliveryPlanned'>['data']> = {},
): EventOf<'DeliveryPlanned'> => ({
  type: 'DeliveryPlanned',
  data: {
    ...named,
    receiver_id: RECEIVER,
    notifier: 'webhook',
    target: 'target of the subscriber',
    not_after: NOT_AFTER,
    ...fields,
  },
});

/** Returns the planning of a delivery to one recipient. */
export const deliveriesPlanned = (
  fields: Partial<EventOf<'DeliveriesPlanned'>['data']> = {},
): EventOf<'DeliveriesPlanned'> => ({
  type: 'DeliveriesPlanned',
  data: {
    organization_id: ORGANIZATION,
    cause: CAUSE,
    caused_at: PLANNED_AT,
    series: 'incident0001',
    priority: 'page',
    about: {
      page_id: 'page00000001',
      event: 'incident.created',
      incident_id: 'incident0001',
      incident_update_id: null,
    },
    not_after: NOT_AFTER,
    deliveries: [
      { delivery_id: DELIVERY, receiver_id: RECEIVER, notifier: 'webhook', target: 'target of the subscriber' },
    ],
    ...fields,
  },
});

/** Returns an attempt that began `second` seconds after 15:00. */
export const attempt = (number: number, second = number, response_code: number | null = null): AttemptMade => ({
  number,
  begun_at: `2026-11-20T15:00:${second.toString().padStart(2, '0')}.000000`,
  duration: 120,
  response_code,
});

export const deliverySucceeded = (number = 1): EventOf<'DeliverySucceeded'> => ({
  type: 'DeliverySucceeded',
  data: { ...named, attempt: attempt(number, number, 204) },
});

export const attemptFailed = (
  number: number,
  retry_at: string,
  fields: Partial<EventOf<'DeliveryAttemptFailed'>['data']> = {},
): EventOf<'DeliveryAttemptFailed'> => ({
  type: 'DeliveryAttemptFailed',
  data: {
    ...named,
    attempt: attempt(number, number, 503),
    reason: 'status',
    error_message: '127.0.0.1:80 answered 503.',
    retry_at,
    ...fields,
  },
});

export const deliveryGivenUp = (
  fields: Partial<EventOf<'DeliveryGivenUp'>['data']> = {},
): EventOf<'DeliveryGivenUp'> => ({
  type: 'DeliveryGivenUp',
  data: {
    ...named,
    because: 'permanent',
    reason: 'status',
    error_message: '127.0.0.1:80 answered 410.',
    ...fields,
  },
});

export const deliveryRetried = (retry = 1): EventOf<'DeliveryRetried'> => ({
  type: 'DeliveryRetried',
  data: { ...named, retry, not_after: '2026-11-22T15:00:00.000000' },
});

export const fanOutAdvanced = (
  page: number,
  fields: Partial<EventOf<'FanOutAdvanced'>['data']> = {},
): EventOf<'FanOutAdvanced'> => ({
  type: 'FanOutAdvanced',
  data: {
    organization_id: ORGANIZATION,
    cause: CAUSE,
    begun_at: PLANNED_AT,
    page,
    after: `subscriber0${page}`,
    planned: page,
    complete: false,
    ...fields,
  },
});
