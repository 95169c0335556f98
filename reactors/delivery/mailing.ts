import { isNotified } from '../../domain/mailing/audience.ts';
import type { DeliveryReceiver } from '../../domain/delivery/decide.ts';
import type { MailingDocument } from '../../projections/mailings/documents.ts';
import { MAILING_CAUSE, mailings } from '../../projections/mailings/projection.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { composeSubscriberMessage } from '../mailings/subscriber-message.ts';
import { readMailingContent, cacheBriefly, type MailingContent } from '../mailings/content.ts';
import { causesIn, type CauseContext, type CauseKind, type CauseHandlers } from './cause.ts';

/**
 * Notifies the subscribers of a page about its incidents and maintenances. Webhook subscribers are also notified of
 * status changes of its components.
 */
export const mailing: CauseKind<MailingDocument> = {
  kind: MAILING_CAUSE,
  list: causesIn(mailings, 'mailings'),
  bind: (context) => createMailingHandlers(context),
};

const createMailingHandlers = (context: CauseContext): CauseHandlers<MailingDocument> => {
  const { read, clock } = context;
  const shared = cacheBriefly<MailingContent | null>(clock);
  const content = (id: string): Promise<MailingContent | null> =>
    shared(id, async () => {
      const found = await read(mailings).mailings.get(id);
      return found && readMailingContent(found, context);
    });
  return {
    receivers: async ({ id }, after, limit) => {
      const found = await content(id);
      return found ? receiversOf(found, after, limit, context) : [];
    },
    compose: async ({ cause, receiver_id }) => {
      const found = await content(cause.id);
      const subscriber = found && (await read(subscribers).subscribers.get(receiver_id));
      // After the message was planned, the subscriber might have unsubscribed or chosen other components.
      if (!subscriber || !isNotified(subscriber, found.notification)) return null;
      return composeSubscriberMessage(found, subscriber, context);
    },
  };
};

/** Reads a page of the subscribers to notify, from a read model that has folded the cause. */
const receiversOf = async (
  { mailing: { told, changed_position }, notification: onPage }: MailingContent,
  after: string | null,
  limit: number,
  { readAfter }: Pick<CauseContext, 'readAfter'>,
): Promise<DeliveryReceiver[]> => {
  const model = readAfter(changed_position)(subscribers).subscribers;
  const receivers: DeliveryReceiver[] = [];
  for (let from = after; receivers.length < limit;) {
    const where = {
      page_id: told.page_id,
      receives: true,
      ...(told.component && { mode: 'webhook' }),
      ...(from !== null && { id: { $gt: from } }),
    };
    const page = await model.find({ where, sort: { id: 1 }, limit });
    for (const subscriber of page) {
      if (!isNotified(subscriber, onPage)) continue;
      receivers.push({ id: subscriber.id, notifier: subscriber.mode, target: subscriber.target });
    }
    from = page.at(-1)?.id ?? null;
    if (page.length < limit) break;
  }
  return receivers.slice(0, limit);
};
