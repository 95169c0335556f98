import { worstStatus, type ComponentStatus } from '../page/component-status.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import { momentOf, type Lane, type LaneStep } from './lane.ts';

/** What counts for a component from `from` until the next phase. */
export interface Phase {
  from: Instant;
  /** the worst of its lanes */
  status: ComponentStatus;
  /** maintenance: the time is no part of uptime */
  left_out: boolean;
}

/** A status that still counts: its incident is open, or it is what a resolved one or a hand left. */
interface Alive {
  status: ComponentStatus;
  open: boolean;
  past: boolean;
}

/**
 * The phases of a component, from all its lanes (decisions.md: Uptime). Before the first phase it is
 * operational.
 *
 * Each incident has its own lane; while several count, the worst does. A status that an incident set
 * counts while the incident is open; what it left when it was resolved, and what was set by hand,
 * counts until anything sets the component again. An edit by hand ends all lanes. What was written
 * down when an incident was over ends when it was resolved, and ends nothing that others left.
 */
export const phasesOf = (lanes: readonly Lane[]): Phase[] => {
  const alive = new Map<Lane | 'hand', Alive>();
  const underWay = new Set<Lane>();
  const phases: Phase[] = [];
  for (const { lane, step } of merged(lanes)) {
    if (lane.source === 'incident') follow(alive, underWay, lane, step);
    else setByHand(alive, lane, step);
    const statuses = [...alive.values()].map(({ status }) => status);
    phases.push({
      from: step.at,
      status: worstStatus(statuses),
      left_out: underWay.size > 0 || statuses.includes('under_maintenance'),
    });
  }
  return phases;
};

const merged = (lanes: readonly Lane[]): { lane: Lane; step: LaneStep }[] =>
  lanes
    .flatMap((lane) => lane.steps.map((step) => ({ lane, step, moment: momentOf(step) })))
    .sort((a, b) => (a.moment < b.moment ? -1 : 1));

const follow = (alive: Map<Lane | 'hand', Alive>, underWay: Set<Lane>, lane: Lane, step: LaneStep): void => {
  if (step.sets !== null) {
    if (!step.past) endLeftovers(alive);
    alive.set(lane, { status: step.sets, open: step.open, past: step.past });
  }
  const own = alive.get(lane);
  if (own) own.open = step.open;
  if (own?.past && !step.open) alive.delete(lane);
  if (step.under_way) underWay.add(lane);
  else underWay.delete(lane);
};

const setByHand = (alive: Map<Lane | 'hand', Alive>, lane: Lane, step: LaneStep): void => {
  if (lane.source === 'edit') alive.clear();
  else endLeftovers(alive);
  if (step.sets !== null) alive.set('hand', { status: step.sets, open: false, past: false });
};

const endLeftovers = (alive: Map<Lane | 'hand', Alive>): void => {
  for (const [lane, { open }] of alive) if (!open) alive.delete(lane);
};

/** Of a stretch of time, in milliseconds. */
export interface Measured {
  /** what is measured: without maintenance */
  total: number;
  major: number;
  partial: number;
}

/** Measures the time from `from` (inclusive) to `to` (exclusive); nothing where `to` is not later. */
export const measure = (phases: readonly Phase[], from: number, to: number): Measured => {
  const measured = { total: 0, major: 0, partial: 0 };
  const add = (start: number, end: number, phase: Phase | undefined): void => {
    const length = Math.min(end, to) - Math.max(start, from);
    if (length <= 0 || phase?.left_out) return;
    measured.total += length;
    if (phase?.status === 'major_outage') measured.major += length;
    if (phase?.status === 'partial_outage') measured.partial += length;
  };
  let start = Number.NEGATIVE_INFINITY;
  let phase: Phase | undefined;
  for (const next of phases) {
    const end = millisecondsOf(next.from);
    add(start, end, phase);
    start = end;
    phase = next;
  }
  add(start, Number.POSITIVE_INFINITY, phase);
  return measured;
};
