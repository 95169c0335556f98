import type { Coordination } from '../../stores/coordination/port.ts';

/** Name of the coordination value with the results log position up to which waiting deliveries are not sent. */
const DROPPED = 'deliveries-dropped-up-to';

/** Gives up on deliveries that events up to a position added to or moved in the list, instead of sending them. */
export const dropDeliveries = (values: Pick<Coordination, 'write'>, upTo: bigint): Promise<void> =>
  values.write(DROPPED, upTo.toString());

/** The log position up to which deliveries are to be dropped; 0: drop nothing. */
export const readDropPosition = async (values: Pick<Coordination, 'read'>): Promise<number> =>
  Number((await values.read(DROPPED)) || 0);

/** Records that all of them have ended. */
export const clearDropPosition = (values: Pick<Coordination, 'write'>): Promise<void> => values.write(DROPPED, '');
