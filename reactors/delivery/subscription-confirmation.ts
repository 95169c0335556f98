import { passesFilter } from '../../domain/subscriber/notification-filter.ts';
import { confirmPath } from '../../domain/subscriber/links.ts';
import { unconfirmedUntil } from '../../domain/subscriber/retention-periods.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import {
  SUBSCRIPTION_CONFIRMATION_CAUSE,
  subscriptionTasks,
  type ConfirmationDocument,
} from '../../projections/subscription-tasks/projection.ts';
import { FORGOTTEN } from '../../stores/keys/port.ts';
import { mailPageOf } from '../mailings/notice.ts';
import { senderOf } from '../mailings/sender.ts';
import { causesIn, type CauseContext, type CauseKind, type Composed, type CauseHandlers } from './cause.ts';

/** Asks new subscribers to confirm their address, by e-mail or SMS. */
export const subscriptionConfirmation: CauseKind<ConfirmationDocument> = {
  kind: SUBSCRIPTION_CONFIRMATION_CAUSE,
  list: causesIn(subscriptionTasks, 'confirmations'),
  // A person who subscribed before this reactor was first active is still waiting for the message.
  countsEarlier: true,
  bind: (context) => createConfirmationHandlers(context),
};

const createConfirmationHandlers = (context: CauseContext): CauseHandlers<ConfirmationDocument> => {
  const { read, readAfter } = context;
  /**
   * Returns the present state of the subscription to be confirmed. Null if it is confirmed, has ended, or was replaced
   * by a new subscription.
   */
  const subscriberOf = async (item: ConfirmationDocument): Promise<SubscriberDocument | null> => {
    const subscriber = await readAfter(item.changed_position)(subscribers).subscribers.get(item.id);
    return subscriber?.number === item.number && subscriber.awaits_confirmation ? subscriber : null;
  };
  return {
    receivers: async (item, after) => {
      const subscriber = after === null ? await subscriberOf(item) : null;
      return subscriber ? [{ id: subscriber.id, notifier: subscriber.mode, target: subscriber.target }] : [];
    },
    compose: async ({ cause, receiver_id }) => {
      const item = await read(subscriptionTasks).confirmations.get(receiver_id);
      // If another confirmation was requested after this one, send only the message of the newer request.
      const subscriber = item?.cause.id === cause.id ? await subscriberOf(item) : null;
      return item && subscriber && composed(item, subscriber, context);
    },
  };
};

/** Composes the message with the link. Null if it must not be sent, because the page or the address was deleted. */
const composed = async (
  { caused_at }: ConfirmationDocument,
  subscriber: SubscriberDocument,
  { read, keys, publicUrl }: CauseContext,
): Promise<Composed | null> => {
  const { organization_id: organizationId, mode } = subscriber;
  const page = await read(pages).pages.get(subscriber.page_id);
  if (page?.deleted_at !== null || !passesFilter(page, subscriber) || publicUrl === null) return null;
  const address = await keys.open(subscriber.address, { organizationId, field: 'address' });
  if (address === FORGOTTEN) return null;
  const path = await confirmPath(subscriber, null, (kind, text) => keys.fingerprint(kind, text));
  const { subject, text, html, sms } = composeConfirmation({
    page: mailPageOf(page),
    confirmUrl: `${publicUrl}${path}`,
    validUntil: unconfirmedUntil(caused_at),
  });
  const event = 'subscription.confirm';
  return mode === 'email'
    ? {
        settings: { address },
        message: {
          event,
          subject,
          text,
          data: {},
          mail: {
            html,
            thread: null,
            sender: await senderOf({ read, organizationId, keys }, page),
            unsubscribeUrl: null,
          },
        },
      }
    : { settings: { number: address }, message: { event, subject: '', text: sms, data: {} } };
};
