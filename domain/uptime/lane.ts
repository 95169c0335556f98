import { statusesSetBy, type TimelineFact } from '../incident/facts.ts';
import { isResolved, isInProgress } from '../incident/statuses.ts';
import type { ComponentStatus } from '../page/component-status.ts';
import type { Instant } from '../time.ts';

/** A time with a log position, which orders events of the same time; compares as a string. */
export type LanePosition = string;

export const lanePositionOf = ({ at, order }: { at: Instant; order: string }): LanePosition => `${at}/${order}`;

/** The time of a moment. */
export const timeInLane = (moment: LanePosition): Instant => moment.slice(0, moment.indexOf('/'));

/** A step of a {@link TargetState}, in effect from `at` on. */
export interface LaneStep {
  at: Instant;
  /** position in the log */
  order: string;
  /** the status that is set; null if only the status of the incident changed */
  sets: ComponentStatus | null;
  /** recorded after the incident (Fact.past) */
  past: boolean;
  /** whether the incident is unresolved from here on */
  open: boolean;
  /** whether the maintenance is in progress from here on */
  under_way: boolean;
}

/**
 * The timeline of one source of a component's statuses (docs/reference/uptime.md#timelines): an incident, an alert that holds the
 * component, or a manual status (at creation or by an edit), which is a lane of one step.
 */
export interface Lane {
  source: 'incident' | 'hold' | 'edit' | 'creation';
  /** in the order of their times, at least one */
  steps: readonly LaneStep[];
}

/**
 * The lane of an incident for one of its components.
 *
 * @param facts in effect, from inEffect (domain/incident/facts.ts)
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

/** The lane of a manual status. */
export const laneSetByHand = (
  source: 'edit' | 'creation',
  at: Instant,
  order: string,
  status: ComponentStatus,
): Lane => ({
  source,
  steps: [{ at, order, sets: status, past: false, open: false, under_way: false }],
});

/** The last step that set a current status, which is the lane's contribution to `Component.status`. */
export const lastStatusSet = (lane: Lane): (LaneStep & { sets: ComponentStatus }) | null =>
  (lane.steps.findLast((step) => step.sets !== null && !step.past) as
    (LaneStep & { sets: ComponentStatus }) | undefined) ?? null;
