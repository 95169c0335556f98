import type { Delivery } from '../../domain/delivery/state.ts';
import { concernsRecipient } from '../../domain/mail/refusal.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A delivery whose most recent attempt failed: an item of the list of the reactor that quarantines subscribers
 * (reactors/subscriptions/quarantines.ts).
 */
export interface FailedDeliveryDocument extends Pick<
  Delivery,
  'id' | 'organization_id' | 'cause' | 'receiver_id' | 'notifier' | 'caused_at'
> {
  /**
   * Why the target refused the address permanently, as a sentence without the address. Null if there was no such
   * refusal.
   */
  refused: string | null;
  created_at: Instant;
  changed_position: number;
}

/** Creates the document of a delivery after a failed attempt. @param position position of the attempt's event */
export const failedDelivery = (delivery: Delivery, position: bigint): FailedDeliveryDocument => {
  const { id, organization_id, cause, receiver_id, notifier, caused_at, created_at, given_up } = delivery;
  const isRefused = given_up?.because === 'permanent' && concernsRecipient(given_up.reason);
  const refused = isRefused ? given_up.error_message : null;
  const whose = { id, organization_id, cause, receiver_id, notifier, caused_at };
  return { ...whose, refused, created_at, changed_position: Number(position) };
};
