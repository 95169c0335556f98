import { audiencesOf, type PageNotification } from '../../domain/mailing/audience.ts';
import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { anyOf } from '../engine/filters.ts';
import type { Scope } from '../engine/scope.ts';

/** The number of subscriptions that receive a message, by mode. */
export type RecipientCounts = Record<SubscriberMode, number>;

export const NO_RECIPIENTS: RecipientCounts = { email: 0, sms: 0, webhook: 0 };

/**
 * Counts the subscriptions that would currently receive a mailing. Subscriptions to the whole page are counted in an
 * index. For subscriptions to single components, the documents are read.
 */
export const countRecipients = async (
  { read }: Pick<Scope, 'read'>,
  onPage: Omit<PageNotification, 'position'>,
): Promise<RecipientCounts> => {
  const { count } = read(subscribers).subscribers;
  const counts = audiencesOf(onPage).map(async ({ mode, incident_ids, component_ids, added_with_key }) => {
    const where = {
      page_id: onPage.told.page_id,
      receives: true,
      mode,
      incident_id: anyOf(incident_ids),
      ...(added_with_key && { added_with_key }),
    };
    const [unnarrowed, narrowed] = await Promise.all([
      count({ ...where, narrowed: false }),
      component_ids.length === 0 ? 0 : count({ ...where, narrowed: true, component_ids: anyOf(component_ids) }),
    ]);
    return [mode, unnarrowed + narrowed] as const;
  });
  return { ...NO_RECIPIENTS, ...Object.fromEntries(await Promise.all(counts)) };
};
