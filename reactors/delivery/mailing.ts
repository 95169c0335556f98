import { isTold } from '../../domain/mailing/audience.ts';
import type { Receiver } from '../../domain/delivery/decide.ts';
import type { MailingDocument } from '../../projections/mailings/documents.ts';
import { MAILING, mailings } from '../../projections/mailings/projection.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { addressed } from '../mailings/subscriber-message.ts';
import { contentOf, shortly, type Content } from '../mailings/content.ts';
import { causesIn, type CauseContext, type CauseKind, type Telling } from './cause.ts';

/**
 * Notifies subscribers of a page about its incidents and maintenances, and webhook subscribers about its components.
 */
export const mailing: CauseKind<MailingDocument> = {
  kind: MAILING,
  list: causesIn(mailings, 'mailings'),
  tell: (context) => tellMailing(context),
};

const tellMailing = (context: CauseContext): Telling<MailingDocument> => {
  const { read, clock } = context;
  const shared = shortly<Content | null>(clock);
  const content = (id: string): Promise<Content | null> =>
    shared(id, async () => {
      const found = await read(mailings).mailings.get(id);
      return found && contentOf(found, context);
    });
  return {
    receivers: async ({ id }, after, limit) => {
      const found = await content(id);
      return found ? receiversOf(found, after, limit, context) : [];
    },
    compose: async ({ cause, receiver_id }) => {
      const found = await content(cause.id);
      const subscriber = found && (await read(subscribers).subscribers.get(receiver_id));
      // The subscriber may have unsubscribed or changed its choice since the message was planned.
      if (!subscriber || !isTold(subscriber, found.told)) return null;
      return addressed(found, subscriber, context);
    },
  };
};

/** The subscribers at the time of the cause, from a read model that has passed that time. */
const receiversOf = async (
  { mailing: { told, changed_position }, told: onPage }: Content,
  after: string | null,
  limit: number,
  { readAfter }: Pick<CauseContext, 'readAfter'>,
): Promise<Receiver[]> => {
  const model = readAfter(changed_position)(subscribers).subscribers;
  const receivers: Receiver[] = [];
  for (let from = after; receivers.length < limit;) {
    const where = {
      page_id: told.page_id,
      receives: true,
      ...(told.component && { mode: 'webhook' }),
      ...(from !== null && { id: { $gt: from } }),
    };
    const page = await model.find({ where, sort: { id: 1 }, limit });
    for (const subscriber of page) {
      if (!isTold(subscriber, onPage)) continue;
      receivers.push({ id: subscriber.id, notifier: subscriber.mode, target: subscriber.target });
    }
    from = page.at(-1)?.id ?? null;
    if (page.length < limit) break;
  }
  return receivers.slice(0, limit);
};
