import type { Coordination } from '../../stores/coordination/port.ts';

/** Name of the coordination value that stores the drop position. See {@link dropDeliveries}. */
const DROPPED = 'deliveries-dropped-up-to';

/**
 * Requests that waiting deliveries are ended without being sent, if their newest event is at or before position `upTo`
 * of the results log.
 */
export const dropDeliveries = (values: Pick<Coordination, 'write'>, upTo: bigint): Promise<void> =>
  values.write(DROPPED, upTo.toString());

/** Reads the log position up to which deliveries must be dropped; 0 if none must be dropped. */
export const readDropPosition = async (values: Pick<Coordination, 'read'>): Promise<number> =>
  Number((await values.read(DROPPED)) || 0);

/** Records that all deliveries to be dropped have ended. */
export const clearDropPosition = (values: Pick<Coordination, 'write'>): Promise<void> => values.write(DROPPED, '');
