import { channelIdOf } from '../../domain/alert-channel/receiver.ts';
import { causeKey, deliveryIdOf, type Cause } from '../../domain/delivery/events.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import type { CauseContext } from './cause.ts';

type Reading = Pick<CauseContext, 'read'>;

/**
 * Returns the receivers to notify of an end, for example of the resolution of an alert: those whose channel was
 * notified of the beginning. Returns all receivers if retention has removed the record of the beginning.
 *
 * Compares channels, not receivers: an e-mail recipient is identified by its index in the channel, and another
 * recipient might have that index now. Therefore, all present recipients of a notified channel are notified.
 *
 * @param beginning the cause of the message about the beginning; null if the present message is about a beginning
 */
export const receiversNotifiedOfBeginning = async <R extends { id: string }>(
  beginning: Cause | null,
  receivers: readonly R[],
  { read }: Reading,
): Promise<readonly R[]> => {
  const { fan_outs, deliveries: all } = read(deliveries);
  if (!beginning || !(await fan_outs.get(causeKey(beginning)))) return receivers;
  const planned = await all.getMany(receivers.map(({ id }) => deliveryIdOf(beginning, id)));
  const notified = new Set(planned.map(({ receiver_id }) => channelIdOf(receiver_id)));
  return receivers.filter(({ id }) => notified.has(channelIdOf(id)));
};

/**
 * Returns whether the message about the beginning was planned but not sent, for example because its receiver was
 * disabled or deleted at that time.
 */
export const wasBeginningMissed = async (
  beginning: Cause | null,
  receiverId: string,
  { read }: Reading,
): Promise<boolean> => {
  if (!beginning) return false;
  const delivery = await read(deliveries).deliveries.get(deliveryIdOf(beginning, receiverId));
  return delivery?.given_up?.because === 'withdrawn';
};
