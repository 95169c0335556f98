import { setBy, type TimelineFact } from '../incident/facts.ts';
import { isResolved, isUnderWay } from '../incident/statuses.ts';
import type { ComponentStatus } from '../page/component-status.ts';
import type { Instant } from '../time.ts';

/** A time, and a place in the log that separates events of the same time; compares as a string. */
export type Moment = string;

export const momentOf = ({ at, order }: { at: Instant; order: string }): Moment => `${at}/${order}`;

/** The time of a moment. */
export const timeIn = (moment: Moment): Instant => moment.slice(0, moment.indexOf('/'));

/** What is said about a component from `at` on. */
export interface LaneStep {
  at: Instant;
  /** place in the log */
  order: string;
  /** the status that is set here; null if only the incident moved */
  sets: ComponentStatus | null;
  /** recorded when the incident was over (Fact.past) */
  past: boolean;
  /** the incident is not resolved from here on */
  open: boolean;
  /** the maintenance is under way from here on */
  under_way: boolean;
}

/**
 * What one incident, or one that holds it, says about one component over time (decisions.md: Uptime). A status that
 * was set by hand, by an edit or when the component was created, is a lane of one step.
 */
export interface Lane {
  source: 'incident' | 'hold' | 'edit' | 'creation';
  /** in the order of their moments, at least one */
  steps: readonly LaneStep[];
}

/**
 * The lane of an incident for a component that its facts name.
 *
 * @param facts as they are in effect (domain/incident/facts.ts)
 */
export const laneOf = (facts: readonly TimelineFact[], componentId: string): Lane => {
  const steps: LaneStep[] = [];
  for (const fact of facts) {
    const { at, order, past } = fact;
    const step = {
      at,
      order,
      sets: setBy(fact)[componentId] ?? null,
      past,
      open: !isResolved(fact.status),
      under_way: isUnderWay(fact.status),
    };
    const before = steps.at(-1);
    const moves = before?.open !== step.open || before.under_way !== step.under_way;
    if (step.sets !== null || moves) steps.push(step);
  }
  return { source: 'incident', steps };
};

/** The lane of a status set by hand. */
export const laneByHand = (source: 'edit' | 'creation', at: Instant, order: string, status: ComponentStatus): Lane => ({
  source,
  steps: [{ at, order, sets: status, past: false, open: false, under_way: false }],
});

/** The last step that set a present status: what the lane says of `Component.status`. */
export const lastSet = (lane: Lane): (LaneStep & { sets: ComponentStatus }) | null =>
  (lane.steps.findLast((step) => step.sets !== null && !step.past) as
    (LaneStep & { sets: ComponentStatus }) | undefined) ?? null;
