import type { Attempt } from '../../domain/delivery/state.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { quarantineReason } from '../../domain/subscriber/webhook-failures.ts';
import { instantOf } from '../../domain/time.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { quarantineSubscriber } from '../../commands/pages/subscribers.ts';
import type { FailedDeliveryDocument } from '../../projections/deliveries/failed.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { MAILING_CAUSE } from '../../projections/mailings/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done, type ItemResult } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

export const SUBSCRIPTION_QUARANTINES = 'subscription-quarantines';

/** Number of the newest messages to a webhook whose attempts are considered. */
const NEWEST = 50;

/**
 * Quarantines subscribers that cannot be reached: an e-mail address or a phone number that refuses messages
 * permanently, or a webhook that has been failing for a long time. A subscriber in quarantine receives no messages.
 */
export const quarantines = defineReactor({
  name: SUBSCRIPTION_QUARANTINES,
  does: 'quarantines subscribers that cannot be reached',
  countsEarlier: true,
  list: changed(deliveries, 'failed_deliveries'),
  act: (item, { handle, clock, sure }) => quarantine({ handle, clock, read: sure })(item),
});

/** Dependencies of {@link quarantine}. */
interface Quarantining extends Pick<CommandDependencies, 'handle'> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  read: Read;
}

/**
 * Quarantines a subscriber if necessary. A repetition changes nothing, because its command has the same id as the first
 * one.
 */
export const quarantine =
  ({ handle, clock, read }: Quarantining) =>
  async (item: FailedDeliveryDocument): Promise<ItemResult> => {
    if (item.cause.kind !== MAILING_CAUSE) return done();
    const subscriber = await read(subscribers).subscribers.get(item.receiver_id);
    if (subscriber?.status !== 'active' || !isTo(item, subscriber)) return done();
    const reason = await reasonFor(item, subscriber, read);
    if (reason === null) return done();
    const { id, number, organization_id: organizationId } = subscriber;
    const commandId = derivedUuid(`${SUBSCRIPTION_QUARANTINES}/${item.id}/${item.changed_position}`);
    const now = instantOf(clock());
    const context = reactorContext(SUBSCRIPTION_QUARANTINES, { organizationId, commandId, now });
    await quarantineSubscriber({ handle })(id, number, reason, context);
    return done();
  };

/** Returns whether a message was sent to the present subscription, not to an earlier one with the same address. */
const isTo = ({ caused_at }: FailedDeliveryDocument, { verified_at }: SubscriberDocument): boolean =>
  verified_at !== null && verified_at <= caused_at;

const reasonFor = async (
  { refused, notifier, receiver_id }: FailedDeliveryDocument,
  { updated_at }: SubscriberDocument,
  read: Read,
): Promise<string | null> => {
  if (notifier !== 'webhook') return refused;
  const newest = await read(deliveries).deliveries.find({
    where: { receiver_id },
    sort: { created_at: -1 },
    limit: NEWEST,
  });
  // Failures from before the newest change of the subscription, such as the end of a quarantine, do not count.
  const since = ({ begun_at }: Attempt): boolean => begun_at > updated_at;
  return quarantineReason(
    newest.filter(({ cause }) => cause.kind === MAILING_CAUSE).flatMap(({ attempts }) => attempts.filter(since)),
  );
};
