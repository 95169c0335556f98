import type { WaitingDeliveryDocument } from '../../projections/deliveries/digests.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import { dueAmong, dueList } from '../engine/lists.ts';
import type { DeliveryList } from './delivery-flow.ts';

/** Creates the list of the `delivery` reactor, which contains all deliveries that have not ended. */
export const createDeliveryList = (
  reader: CollectionReader<DueDeliveryDocument>,
  heldDeliveries: CollectionReader<WaitingDeliveryDocument>,
): DeliveryList => ({
  ...dueList(reader),
  dueIn: ({ target, notifier, organization_id, priority }, ...which) =>
    dueAmong(reader, { target, notifier, organization_id, priority })(...which),
  inSeries: (keys) => reader.find({ where: { series_key: { $in: keys } } }),
  heldInSeries: (keys) => heldDeliveries.find({ where: { series_key: { $in: keys } } }),
});
