import type { EventOf } from '../event-types.ts';
import { IllegalState } from '../errors.ts';
import { requireFound } from '../existence.ts';
import { laterOf, type Instant } from '../time.ts';
import type { ComponentStatus } from './component-status.ts';
import { existing, type Page, type PageComponent } from './state.ts';

/** Returns when the newest of a component's current holds began; an empty text if no alert holds the component. */
export const lastHeldAt = ({ holds }: Pick<PageComponent, 'holds'>): Instant =>
  [...holds.values()].reduce<Instant>((last, { held_at }) => laterOf(last, held_at), '');

/**
 * Holds a component in a status. The recorded time of the hold is never before the time of the newest manual status,
 * even if the clock was set back. Returns no event if the same holder already holds the component in this status.
 *
 * @param holder id of the alert
 * @throws NotFound the page or the component does not exist
 * @throws IllegalState the component is a group
 */
export const holdComponent = (
  state: Page,
  id: string,
  holder: string,
  status: ComponentStatus,
  now: Instant,
): EventOf<'ComponentHeld'>[] => {
  const page = existing(state);
  const component = requireFound(page.components.get(id), 'component');
  if (component.group)
    throw new IllegalState("A group can't be held, since its status is derived from its components.");
  const before = component.holds.get(holder);
  if (before?.status === status) return [];
  const held_at = [component.status_set_at, before?.held_at ?? ''].reduce(laterOf, now);
  return [{ type: 'ComponentHeld', data: { page_id: page.id, component_id: id, holder, status, held_at } }];
};

/** Releases a holder's hold on a component. Returns no event if the hold, the page or the component does not exist. */
export const releaseComponent = (
  state: Page,
  id: string,
  holder: string,
  now: Instant,
): EventOf<'ComponentReleased'>[] => {
  const hold = state.status === 'active' ? state.components.get(id)?.holds.get(holder) : undefined;
  if (state.status !== 'active' || !hold) return [];
  const released_at = laterOf(now, hold.held_at);
  return [{ type: 'ComponentReleased', data: { page_id: state.id, component_id: id, holder, released_at } }];
};
