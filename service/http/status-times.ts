import type { StatusTimes } from '../../commands/pages/component-status-times.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { findNamedComponents, statusesSetAt } from '../../queries/pages/components.ts';

/**
 * Returns a function that finds since when components have had their statuses. It uses the read model of components.
 */
export const createStatusTimes = (readers: Pick<Readers, 'for'>): StatusTimes => ({
  setAt: async (pageId, componentIds, context) => {
    const found = await findNamedComponents({ read: readers.for(context) }, pageId, componentIds);
    return statusesSetAt([...found.values()]);
  },
});
