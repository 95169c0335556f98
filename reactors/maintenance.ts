import type { IncidentEvent } from '../domain/incident/events.ts';
import { dueActionAt } from '../domain/incident/agenda.ts';
import { dueAutomaticActions } from '../domain/incident/automatic-actions.ts';
import { componentsNamedBy } from '../domain/incident/facts.ts';
import { incidentDecider, type Incident } from '../domain/incident/state.ts';
import { isExisting } from '../domain/existence.ts';
import { pageDecider } from '../domain/page/state.ts';
import { millisecondsOf } from '../domain/time.ts';
import { derivedUuid, reactorContext } from '../commands/engine/context.ts';
import { components } from '../projections/components/projection.ts';
import { maintenances } from '../projections/maintenances/projection.ts';
import { statusesSetAt } from '../queries/pages/components.ts';
import { defineReactor } from './engine/define.ts';
import { retryItemAt, done } from './engine/item-result.ts';
import { due } from './engine/list-declarations.ts';

export const MAINTENANCE = 'maintenance';

/**
 * Maximum number of concurrent items. Many maintenances start at the same full hour, and concurrent commands are
 * committed together.
 */
const AT_ONCE = 16;
/** Delay before an item without a due action is tried again. Usually, the item is removed from the list before that. */
const LIST_WAIT_MS = 60_000;

/**
 * Starts and completes maintenances on schedule, and plans reminders to subscribers. Catches up on actions that became
 * due before the reactor was first active or while the service was down. The state of the maintenance's stream
 * determines which action is due, so neither a lagging list nor a second process can cause an action twice.
 */
export const maintenance = defineReactor({
  name: MAINTENANCE,
  does: 'starts and completes maintenances, and plans reminders to subscribers',
  countsEarlier: true,
  list: due(maintenances, 'due_maintenances', { atOnce: AT_ONCE, longest: null }),
  act: async (item, { handle, read, now, appended }) => {
    const context = reactorContext(MAINTENANCE, {
      organizationId: item.organization_id,
      correlationId: item.id,
      commandId: derivedUuid(`${MAINTENANCE}/${item.id}/${item.changed_position}`),
      now,
      appended,
    });
    const decide = async (incident: Incident): Promise<IncidentEvent[]> => {
      const page = await handle.load(item.page_id, pageDecider, context);
      const named = isExisting(page) && isExisting(incident) ? componentsNamedBy(incident.facts) : [];
      const setAt = named.length === 0 ? null : statusesSetAt(await read(components).components.getMany(named));
      return dueAutomaticActions(incident, page, now, setAt !== null && setAt > now ? setAt : null);
    };
    const { state, events } = await handle(item.id, incidentDecider, decide, context);
    if (events.length > 0) return done();
    // No action is due: the clock was set back after the item was read, or the list does not show the latest event yet.
    const dueNext = isExisting(state) && state.kind === 'maintenance' ? dueActionAt(state.agenda) : null;
    return retryItemAt(
      dueNext !== null && dueNext > now ? millisecondsOf(dueNext) : millisecondsOf(now) + LIST_WAIT_MS,
    );
  },
});
