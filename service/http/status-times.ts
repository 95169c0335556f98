import type { StatusTimes } from '../../commands/pages/component-status-times.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { findNamedComponents, statusesSetAt } from '../../queries/pages/components.ts';

/**
 * Creates a function that returns, for each component, when the component got its present status. Reads the read model
 * of components.
 */
export const createStatusTimes = (readers: Pick<Readers, 'for'>): StatusTimes => ({
  setAt: async (pageId, componentIds, context) => {
    const found = await findNamedComponents({ read: readers.for(context) }, pageId, componentIds);
    return statusesSetAt([...found.values()]);
  },
});
