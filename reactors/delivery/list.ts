import type { HeldDeliveryDocument } from '../../projections/deliveries/digests.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import { dueAmong, dueList } from '../engine/lists.ts';
import type { DeliveryList } from './turns.ts';

/** The deliveries that have not ended, as the list of the reactor that delivers. */
export const deliveryList = (
  reader: CollectionReader<DueDeliveryDocument>,
  held: CollectionReader<HeldDeliveryDocument>,
): DeliveryList => ({
  ...dueList(reader),
  dueIn: ({ target, notifier, organization_id, priority }, ...which) =>
    dueAmong(reader, { target, notifier, organization_id, priority })(...which),
  inSeries: (keys) => reader.find({ where: { series_key: { $in: keys } } }),
  heldInSeries: (keys) => held.find({ where: { series_key: { $in: keys } } }),
});

/** How many deliveries of an organization wait for their first attempt, but for those to some targets. */
export const plannedAhead = (
  reader: CollectionReader<DueDeliveryDocument>,
  organization_id: string,
  except: readonly string[],
): Promise<number> =>
  reader.count({ organization_id, attempt_count: 0, ...(except.length > 0 && { target: { $nin: except } }) });
