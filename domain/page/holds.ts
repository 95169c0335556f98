import type { EventOf } from '../catalogue.ts';
import { IllegalState } from '../errors.ts';
import { found } from '../lifecycle.ts';
import { laterOf, type Instant } from '../time.ts';
import type { ComponentStatus } from './component-status.ts';
import { existing, type Page, type PageComponent } from './state.ts';

/** When the component was last held by what holds it now; empty: nothing does. */
export const lastHeldAt = ({ holds }: Pick<PageComponent, 'holds'>): Instant =>
  [...holds.values()].reduce<Instant>((last, { held_at }) => laterOf(last, held_at), '');

/**
 * Holds a component in a status. It comes after the last edit by hand, also when the clock was set back; held already
 * in this status by the same holder, it stays as it is.
 *
 * @param holder id of the alert
 * @throws NotFound the page or the component is gone
 * @throws IllegalState it is a group
 */
export const holdComponent = (
  state: Page,
  id: string,
  holder: string,
  status: ComponentStatus,
  now: Instant,
): EventOf<'ComponentHeld'>[] => {
  const page = existing(state);
  const component = found(page.components.get(id), 'component');
  if (component.group) throw new IllegalState("A group can't be held: its status follows from its components.");
  const before = component.holds.get(holder);
  if (before?.status === status) return [];
  const held_at = [component.status_set_at, before?.held_at ?? ''].reduce(laterOf, now);
  return [{ type: 'ComponentHeld', data: { page_id: page.id, component_id: id, holder, status, held_at } }];
};

/** Lets a component go that is held; where the page or the component is gone, there is nothing left to let go. */
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
