import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Name of the coordination value that lists the targets with a large backlog, in JSON. */
const HELD_UP = 'delivery-targets-held-up';

/** Publishes the targets with a large backlog to the reactors that plan deliveries, in all processes. */
export const publishBackloggedTargets = (
  values: Pick<Coordination, 'write'>,
  targets: readonly string[],
): Promise<void> => values.write(HELD_UP, JSON.stringify(targets));

export const readBackloggedTargets = async (values: Pick<Coordination, 'read'>): Promise<string[]> =>
  JSON.parse((await values.read(HELD_UP)) || '[]') as string[];

/** Counts an organization's deliveries that wait for their first attempt. Ignores deliveries to targets in `except`. */
export const countPlannedAhead = (
  reader: CollectionReader<DueDeliveryDocument>,
  organization_id: string,
  except: readonly string[],
): Promise<number> =>
  reader.count({ organization_id, attempt_count: 0, ...(except.length > 0 && { target: { $nin: except } }) });
