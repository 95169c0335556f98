import type { IncidentEvent } from '../domain/incident/events.ts';
import { dueAt } from '../domain/incident/agenda.ts';
import { doneByClock } from '../domain/incident/by-clock.ts';
import { namedBy } from '../domain/incident/facts.ts';
import { incidentDecider, type Incident } from '../domain/incident/state.ts';
import { isThere } from '../domain/lifecycle.ts';
import { pageDecider } from '../domain/page/state.ts';
import { millisecondsOf, type Instant } from '../domain/time.ts';
import type { Noted } from '../commands/engine/appended.ts';
import { derivedUuid, reactorContext } from '../commands/engine/context.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { dueWork, type DueContext } from './engine/due.ts';
import { againAt, done, type Ending } from './engine/ending.ts';
import type { DueItem, DueList, TodoProjection } from './engine/lists.ts';
import type { Reactor } from './engine/loop.ts';

export const MAINTENANCE = 'maintenance';

/** Many begin at the same full hour, and their commands share commits. */
const AT_ONCE = 16;
/** When to look again at an item that the list will soon not show any more; what is put there anew is not held up. */
const LIST_WAIT_MS = 60_000;

/** An item of the to-do list `due_maintenances`. */
export interface DueMaintenanceItem extends DueItem {
  organization_id: string;
  page_id: string;
}

export interface MaintenanceDependencies extends Pick<CommandDependencies, 'handle'> {
  list: (context: { appended: Noted }) => DueList<DueMaintenanceItem>;
  todo: TodoProjection;
  /** When a status of one of these components was last set; null: never. */
  statusesSetAt: (componentIds: readonly string[]) => Promise<Instant | null>;
}

/**
 * Starts and completes maintenances and has subscribers reminded of them, when it is time. What fell due before the
 * reactor was first active, or while the service was down, is made up.
 */
export const maintenanceReactor = (dependencies: MaintenanceDependencies): Reactor => ({
  name: MAINTENANCE,
  countsEarlier: true,
  todo: dependencies.todo,
  work: dueWork(MAINTENANCE, dependencies.todo, dependencies.list, doWhatIsDue(dependencies), {
    atOnce: AT_ONCE,
    longest: null,
  }),
});

/** The maintenance itself says what is still to be done, so an old list does no harm, nor does a second process. */
const doWhatIsDue =
  ({ handle, statusesSetAt }: MaintenanceDependencies) =>
  async (item: DueMaintenanceItem, { now, appended }: DueContext): Promise<Ending> => {
    const context = reactorContext(MAINTENANCE, {
      organizationId: item.organization_id,
      correlationId: item.id,
      commandId: derivedUuid(`${MAINTENANCE}/${item.id}/${item.changed_position.toString()}`),
      now,
      appended,
    });
    const decide = async (incident: Incident): Promise<IncidentEvent[]> => {
      const page = await handle.load(item.page_id, pageDecider, context);
      const setAt = isThere(page) && isThere(incident) ? await statusesSetAt(namedBy(incident.facts)) : null;
      return doneByClock(incident, page, now, setAt !== null && setAt > now ? setAt : null);
    };
    const { state, events } = await handle(item.id, incidentDecider, decide, context);
    if (events.length > 0) return done();
    // The clock was set back since it was found; or the list does not show yet that it is no longer due.
    const due = isThere(state) && state.kind === 'maintenance' ? dueAt(state.agenda) : null;
    return againAt(due !== null && due > now ? millisecondsOf(due) : millisecondsOf(now) + LIST_WAIT_MS);
  };
