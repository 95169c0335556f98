import type { RecordedEvent } from '../../domain/event.ts';
import { componentsNamedBy, progressOf, type TimelineFact } from '../../domain/incident/facts.ts';
import { laneSetByHand, laneOf, lastStatusSet, lanePositionOf } from '../../domain/uptime/lane.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import { laterOf, type Instant } from '../../domain/time.ts';
import { NEVER, type ComponentDocument, type LaneDocument } from './documents.ts';
import { withShownStatus } from './shown-status.ts';
import { MANUAL_CHANGE_SPAN, spanOf } from './spans.ts';

/** Returns the position of a fact in the log as sortable text. `index` distinguishes several facts of one event. */
export const logOrderOf = ({ position }: Pick<RecordedEvent, 'position'>, index = 0): string =>
  `${position.toString().padStart(20, '0')}.${index.toString().padStart(4, '0')}`;

export const laneId = (incidentId: string, componentId: string): string => `${incidentId}:${componentId}`;

export const manualLaneId = (componentId: string, place: string): string => `${componentId}@${place}`;

/**
 * Derives what all lanes of an incident have in common.
 *
 * @param facts the facts that are in effect, without removed facts
 * @returns a function that returns the lane for one component, or null if the facts do not name the component
 */
export const lanesOfIncident = (
  incidentId: string,
  facts: readonly TimelineFact[],
): ((componentId: string) => LaneDocument | null) => {
  const named = new Set(componentsNamedBy(facts));
  if (named.size === 0) return () => null;
  let first_update: Instant = NEVER;
  for (const { update_id, at } of facts) if (update_id !== null && at < first_update) first_update = at;
  const resolved = progressOf(facts).resolved_at ?? NEVER;
  return (componentId) => {
    if (!named.has(componentId)) return null;
    const { source, steps } = laneOf(facts, componentId);
    const begins = earlierOf(first_update, steps[0]?.at ?? first_update);
    const settled = laterOf(resolved, steps.at(-1)?.at ?? resolved);
    const set = lastStatusSet({ source, steps });
    return {
      source,
      steps,
      id: laneId(incidentId, componentId),
      component_id: componentId,
      incident_id: incidentId,
      begins,
      first_update,
      resolved,
      settled,
      leaves: set && settled,
      span: spanOf(begins, settled),
      last_set: set && lanePositionOf(set),
    };
  };
};

/** Returns the lane of a manual status change. */
export const manualLane = (
  componentId: string,
  source: 'edit' | 'creation',
  at: Instant,
  place: string,
  status: ComponentStatus,
): LaneDocument => ({
  ...laneSetByHand(source, at, place, status),
  id: manualLaneId(componentId, place),
  component_id: componentId,
  incident_id: null,
  begins: at,
  first_update: at,
  resolved: at,
  settled: at,
  leaves: at,
  span: MANUAL_CHANGE_SPAN,
  last_set: lanePositionOf({ at, order: place }),
});

const statusSetBy = (lane: LaneDocument): ComponentStatus | undefined => lastStatusSet(lane)?.sets;

/**
 * Updates the status of a component after one of its lanes has changed. The new status is the one that was set at the
 * latest time (docs/reference/components.md#statuses), or the status of a holder if that status is worse.
 *
 * @param changed the lane after the change, or null if it was removed
 * @param others other lanes of the component, including the one with the latest status; required only if the changed
 * lane had set the component's status
 */
export const withLaneStatus = (
  component: ComponentDocument,
  id: string,
  changed: LaneDocument | null,
  others: readonly LaneDocument[],
  at: Instant,
): ComponentDocument => {
  const ownBefore = component.status_set.lane === id;
  const candidates = [...(changed ? [changed] : []), ...(ownBefore ? others.filter((lane) => lane.id !== id) : [])];
  const last = candidates.reduce<LaneDocument | null>(
    (best, lane) => (lane.last_set !== null && lane.last_set > (best?.last_set ?? '') ? lane : best),
    null,
  );
  if (last?.last_set == null || (!ownBefore && last.last_set < component.status_set.moment)) return component;
  const own_status = statusSetBy(last) ?? component.own_status;
  return withShownStatus({ ...component, own_status, status_set: { lane: last.id, moment: last.last_set } }, at);
};

/**
 * Tests whether a lane has set the component's status. If so, a change of the lane requires a search for other lanes.
 */
export const isLastLane = (component: ComponentDocument | undefined, id: string): boolean =>
  component?.status_set.lane === id;

const earlierOf = (a: Instant, b: Instant): Instant => (a < b ? a : b);
