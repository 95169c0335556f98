import { worstStatus, type ComponentStatus } from '../page/component-status.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import { momentOf, type Lane, type LaneStep } from './lane.ts';

/** What counts for a component from `from` until the next phase. */
export interface Phase {
  from: Instant;
  /** the worst of its lanes */
  status: ComponentStatus;
  /** maintenance: the time is excluded from uptime */
  left_out: boolean;
}

/** What an incident, or a person, last said about the component. */
interface Statement {
  status: ComponentStatus;
  /** the incident is open */
  open: boolean;
  /** it was recorded when the incident was over */
  past: boolean;
}

/** What incidents last said since the last edit by hand, and which statements count. */
interface Statements {
  of: Map<Lane, Statement>;
  counting: Set<Statement>;
}

/**
 * The phases of a component, from all its lanes (decisions.md: Uptime). Before the first phase it is
 * operational.
 *
 * Each incident has its own lane; while several count, the worst one decides. What an incident has set
 * counts while the incident is open; what it left when it was resolved, and what was set by hand,
 * counts until anything sets the component again. An edit by hand ends all lanes before it. What was
 * recorded after an incident was over counts only while that was open, and ends nothing that
 * others left. What holds the component counts likewise, from then until it lets go.
 */
export const phasesOf = (lanes: readonly Lane[]): Phase[] => {
  const statements: Statements = { of: new Map(), counting: new Set() };
  const underWay = new Set<Lane>();
  const phases: Phase[] = [];
  for (const { lane, step } of merged(lanes)) {
    if (lane.source === 'edit' || lane.source === 'creation') setByHand(statements, lane, step);
    else follow(statements, lane, step);
    if (step.under_way) underWay.add(lane);
    else underWay.delete(lane);
    const statuses = [...statements.counting].map(({ status }) => status);
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

const follow = ({ of, counting }: Statements, lane: Lane, { sets, past, open }: LaneStep): void => {
  const before = of.get(lane);
  if (sets !== null) {
    if (before) counting.delete(before);
    if (!past) endClosed(counting);
    const statement = { status: sets, open, past };
    of.set(lane, statement);
    if (open || !past) counting.add(statement);
  } else if (before && before.open !== open) {
    before.open = open;
    if (open) counting.add(before);
    else if (before.past) counting.delete(before);
  }
};

const setByHand = ({ of, counting }: Statements, { source }: Lane, { sets }: LaneStep): void => {
  if (source === 'edit') {
    of.clear();
    counting.clear();
  } else {
    endClosed(counting);
  }
  if (sets !== null) counting.add({ status: sets, open: false, past: false });
};

const endClosed = (counting: Set<Statement>): void => {
  for (const statement of counting) if (!statement.open) counting.delete(statement);
};

/** Of a period, in milliseconds. */
export interface Measured {
  /** the measured time: without maintenance */
  total: number;
  major: number;
  partial: number;
}

/** Measures the time from `from` (inclusive) to `to` (exclusive); zero if `to` is not later. */
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
