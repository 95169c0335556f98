import { statusesSetBy, type TimelineFact } from '../incident/facts.ts';
import { isResolved, isInProgress } from '../incident/statuses.ts';
import type { ComponentStatus } from '../page/component-status.ts';
import type { Instant } from '../time.ts';

/**
 * A point in a {@link Lane}: a time, and a log position that orders steps of the same time. Lane positions are compared
 * as strings.
 */
export type LanePosition = string;

export const lanePositionOf = ({ at, order }: { at: Instant; order: string }): LanePosition => `${at}/${order}`;

/** Returns the time in a lane position. */
export const timeInLane = (moment: LanePosition): Instant => moment.slice(0, moment.indexOf('/'));

/** A step of a {@link Lane}. It is in effect from `at` until the next step of the lane. */
export interface LaneStep {
  at: Instant;
  /** position in the log, which orders steps of the same time */
  order: string;
  /** status that the step sets for the component; null if only the status of the incident changed */
  sets: ComponentStatus | null;
  /** whether the step was recorded after the end of the incident */
  past: boolean;
  /** whether the incident is unresolved after this step */
  open: boolean;
  /** whether the maintenance is in progress after this step */
  under_way: boolean;
}

/**
 * The statuses that one source sets for a component over time (docs/reference/uptime.md#timelines). The source is an
 * incident, an alert that holds the component in a status, or a person who set a manual status when creating or editing
 * the component. The lane of a manual status has one step.
 */
export interface Lane {
  source: 'incident' | 'hold' | 'edit' | 'creation';
  /** at least one step, in the order of their times */
  steps: readonly LaneStep[];
}

/**
 * Returns the lane of an incident for one of its components.
 *
 * @param facts the facts of the incident that are in effect, from `inEffect` (domain/incident/facts.ts)
 */
export const laneOf = (facts: readonly TimelineFact[], componentId: string): Lane => {
  const steps: LaneStep[] = [];
  for (const fact of facts) {
    const { at, order, past } = fact;
    const step = {
      at,
      order,
      sets: statusesSetBy(fact)[componentId] ?? null,
      past,
      open: !isResolved(fact.status),
      under_way: isInProgress(fact.status),
    };
    const before = steps.at(-1);
    const moves = before?.open !== step.open || before.under_way !== step.under_way;
    if (step.sets !== null || moves) steps.push(step);
  }
  return { source: 'incident', steps };
};

/** Returns the lane of a manual status. */
export const laneSetByHand = (
  source: 'edit' | 'creation',
  at: Instant,
  order: string,
  status: ComponentStatus,
): Lane => ({
  source,
  steps: [{ at, order, sets: status, past: false, open: false, under_way: false }],
});

/**
 * Returns the newest step that set a status and was not recorded after the end of its incident. `Component.status`
 * depends on the status of this step. Returns null if there is no such step.
 */
export const lastStatusSet = (lane: Lane): (LaneStep & { sets: ComponentStatus }) | null =>
  (lane.steps.findLast((step) => step.sets !== null && !step.past) as
    (LaneStep & { sets: ComponentStatus }) | undefined) ?? null;
