import type { Coordination } from '../../stores/coordination/port.ts';

/** The value that says up to which position of the results log deliveries that wait are not to be sent. */
const DROPPED = 'deliveries-dropped-up-to';

/** Deliveries that events up to a position have put on the list, or last moved there, are given up instead of sent. */
export const dropDeliveries = (values: Pick<Coordination, 'write'>, upTo: bigint): Promise<void> =>
  values.write(DROPPED, upTo.toString());

/** Up to which position deliveries are to be dropped; 0: none. */
export const droppedUpTo = async (values: Pick<Coordination, 'read'>): Promise<number> =>
  Number((await values.read(DROPPED)) || 0);

/** All of them have ended. */
export const droppedAll = (values: Pick<Coordination, 'write'>): Promise<void> => values.write(DROPPED, '');
