import type { Appended } from '../../commands/engine/appended-positions.ts';
import { holdComponent, releaseComponent } from '../../commands/pages/components.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { IllegalState, NotFound } from '../../domain/errors.ts';
import { worstStatus } from '../../domain/page/component-status.ts';
import { instantOf } from '../../domain/time.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { alertHolds } from '../../projections/alert-holds/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { findShowingComponents } from '../../queries/alerts/alert-holds.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

export const ALERT_HOLDS = 'alert-holds';

/**
 * While an alert is active, sets the components of its `statuspage` channels to the status that each channel
 * configures. Releases the components when the alert is resolved
 * (docs/reference/components.md#components-held-by-alerts). Only the present state of the alert counts: if it was
 * resolved before its components were set, they are never set.
 */
export const componentHolds = defineReactor({
  name: ALERT_HOLDS,
  does: 'shows active alerts on the components of their channels, and releases these components when the alerts are resolved',
  countsEarlier: true,
  list: changed(alertHolds, 'alert_holds'),
  act: async ({ id: holder }, { handle, clock, readers, readAfter }) => {
    const appended: Appended = new Map();
    /** Reads the alert from a state that contains the events appended so far. */
    const look = () => readers.for({ appended })(alertHolds).alert_holds.get(holder);
    const alert = await look();
    if (!alert) return done();
    const { organization_id: organizationId, resolved_at, channel_ids, changed_position } = alert;
    const contextOf = (what: string, componentId: string) =>
      reactorContext(ALERT_HOLDS, {
        organizationId,
        correlationId: holder,
        commandId: derivedUuid(`${ALERT_HOLDS}/${holder}/${what}/${componentId}`),
        now: instantOf(clock()),
        appended,
      });
    if (resolved_at !== null) {
      for (const { page_id, component_id, released_at } of alert.holds) {
        if (released_at !== null) continue;
        await releaseComponent({ handle })({ page_id, component_id, holder }, contextOf('release', component_id));
      }
      return done();
    }
    // Read after `changed_position`: if this read missed a channel, its component would never show the alert.
    const shown = await findShowingComponents(readAfter(changed_position), organizationId, channel_ids);
    if (shown.length > 0 && (await isUnannounced(readAfter(changed_position), holder))) return done();
    for (const { page_id, component_id, component_status: status } of worstOfEach(shown)) {
      const holding = { page_id, component_id, holder, status };
      await holdComponent({ handle })(holding, contextOf('hold', component_id)).catch(unlessGone);
    }
    // When the alert is resolved, the list shows it again, and its holds in the read model are released. So wait until
    // the read model shows the new holds.
    await look();
    return done();
  },
});

/** Returns whether an alert has not been announced yet because its rule or check is muted. */
const isUnannounced = async (read: Read, alertId: string): Promise<boolean> =>
  (await read(alerts).muted_alerts.get(alertId))?.awaits === 'fired';

/** Ignores the error for a deleted page or component. The notifications of the alert show such a hold as `failed`. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof NotFound || error instanceof IllegalState)) throw error;
};

/** Returns each component once. If several channels name a component, it gets the worst of their statuses. */
const worstOfEach = (all: Awaited<ReturnType<typeof findShowingComponents>>): typeof all => {
  const found = new Map<string, (typeof all)[number]>();
  for (const one of all) {
    const before = found.get(one.component_id);
    const component_status = worstStatus([one.component_status, ...(before ? [before.component_status] : [])]);
    found.set(one.component_id, { ...one, component_status });
  }
  return [...found.values()];
};
