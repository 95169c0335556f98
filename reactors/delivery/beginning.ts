import { channelIdOf } from '../../domain/alert-channel/receiver.ts';
import { causeKey, deliveryIdOf, type Cause } from '../../domain/delivery/events.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import type { CauseContext } from './cause.ts';

type Reading = Pick<CauseContext, 'read'>;

/**
 * Of some receivers, those whose channel was told that something began: that it is over is told to nobody else.
 * Everybody, where that is no longer known, since it began before the retention. A recipient of e-mail is known by its
 * place in its channel, and another one may have had that since: so all that the channel has now are told.
 *
 * @param beginning the cause of that message; null: it is itself about a beginning
 */
export const toldOfBeginning = async <R extends { id: string }>(
  beginning: Cause | null,
  receivers: readonly R[],
  { read }: Reading,
): Promise<readonly R[]> => {
  const { fan_outs, deliveries: all } = read(deliveries);
  if (!beginning || !(await fan_outs.get(causeKey(beginning)))) return receivers;
  const planned = await all.getMany(receivers.map(({ id }) => deliveryIdOf(beginning, id)));
  const told = new Set(planned.map(({ receiver_id }) => channelIdOf(receiver_id)));
  return receivers.filter(({ id }) => told.has(channelIdOf(id)));
};

/** Whether the message that something began was not sent, since its receiver was switched off or gone then. */
export const missedBeginning = async (
  beginning: Cause | null,
  receiverId: string,
  { read }: Reading,
): Promise<boolean> => {
  if (!beginning) return false;
  const delivery = await read(deliveries).deliveries.get(deliveryIdOf(beginning, receiverId));
  return delivery?.given_up?.because === 'withdrawn';
};
