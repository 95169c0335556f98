import { COMPONENT_STATUSES, worstStatus, type ComponentStatus } from '../page/component-status.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { Lane, LaneStep } from './lane.ts';
import { merged } from './merged-lanes.ts';

/** The effective status of a component from `from` until the next phase. */
export interface Phase {
  from: Instant;
  /** the worst of the statuses that count */
  status: ComponentStatus;
  /** whether the phase is excluded from uptime, because of maintenance */
  left_out: boolean;
}

/** The newest status that a lane (an incident, a hold or a person) set for the component. */
interface Statement {
  status: ComponentStatus;
  /** whether the incident is unresolved */
  open: boolean;
  /** whether the status was recorded after the end of the incident */
  past: boolean;
}

/**
 * `of`: the newest statement of each lane since the last manual edit. `counting`: the statements that count at present.
 */
interface Statements {
  of: Map<Lane, Statement>;
  counting: Counting;
}

/** The statements that count at present. Every change takes constant time. */
class Counting {
  readonly #open = new Set<Statement>();
  readonly #closed = new Set<Statement>();
  /** number of statements by status */
  readonly #statuses = new Map<ComponentStatus, number>();

  add(statement: Statement): void {
    if (this.#open.has(statement) || this.#closed.has(statement)) return;
    (statement.open ? this.#open : this.#closed).add(statement);
    this.#count(statement, 1);
  }

  delete(statement: Statement): void {
    if (this.#open.delete(statement) || this.#closed.delete(statement)) this.#count(statement, -1);
  }

  /** Updates whether the incident of a statement is unresolved. */
  setOpen(statement: Statement, open: boolean): void {
    const counts = this.#open.delete(statement) || this.#closed.delete(statement);
    statement.open = open;
    if (counts) (open ? this.#open : this.#closed).add(statement);
  }

  endClosed(): void {
    for (const statement of this.#closed) this.#count(statement, -1);
    this.#closed.clear();
  }

  clear(): void {
    this.#open.clear();
    this.#closed.clear();
    this.#statuses.clear();
  }

  has(status: ComponentStatus): boolean {
    return (this.#statuses.get(status) ?? 0) > 0;
  }

  get worst(): ComponentStatus {
    return worstStatus(COMPONENT_STATUSES.filter((status) => this.has(status)));
  }

  #count({ status }: Statement, by: 1 | -1): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + by);
  }
}

/**
 * Computes the phases of a component lazily from all its lanes (docs/reference/uptime.md#timelines). Before the first
 * phase, the component is operational. In each phase, the worst of all statuses that count applies:
 *
 * - A status that an incident sets counts while the incident is unresolved.
 * - A status that remains after the resolution of its incident counts until any lane sets a status of the component. So
 *   does a manual status.
 * - A manual edit ends all earlier statuses.
 * - A status that was recorded after the end of its incident counts only during the incident, and ends no other status.
 * - A hold of an alert counts like an incident, from its start until its release.
 */
export function* phasesIn(lanes: readonly Lane[]): Generator<Phase> {
  const statements: Statements = { of: new Map(), counting: new Counting() };
  const { counting } = statements;
  const underWay = new Set<Lane>();
  for (const { lane, step } of merged(lanes)) {
    if (lane.source === 'edit' || lane.source === 'creation') setByHand(statements, lane, step);
    else follow(statements, lane, step);
    if (step.under_way) underWay.add(lane);
    else underWay.delete(lane);
    yield {
      from: step.at,
      status: counting.worst,
      left_out: underWay.size > 0 || counting.has('under_maintenance'),
    };
  }
}

/** Returns all phases of a component, in order. */
export const phasesOf = (lanes: readonly Lane[]): Phase[] => [...phasesIn(lanes)];

const follow = ({ of, counting }: Statements, lane: Lane, { sets, past, open }: LaneStep): void => {
  const before = of.get(lane);
  if (sets !== null) {
    if (before) counting.delete(before);
    if (!past) counting.endClosed();
    const statement = { status: sets, open, past };
    of.set(lane, statement);
    if (open || !past) counting.add(statement);
  } else if (before && before.open !== open) {
    counting.setOpen(before, open);
    if (open) counting.add(before);
    else if (before.past) counting.delete(before);
  }
};

const setByHand = ({ of, counting }: Statements, { source }: Lane, { sets }: LaneStep): void => {
  if (source === 'edit') {
    of.clear();
    counting.clear();
  } else {
    counting.endClosed();
  }
  if (sets !== null) counting.add({ status: sets, open: false, past: false });
};

/** The measurement of a period. All durations are in milliseconds. */
export interface MeasuredTime {
  /** measured time, which excludes maintenance */
  total: number;
  major: number;
  partial: number;
}

/**
 * Measures the time from `from` (inclusive) to `to` (exclusive), in milliseconds since 1970. Every result is zero if
 * `to` is not after `from`.
 */
export const measureTimeline = (phases: readonly Phase[], from: number, to: number): MeasuredTime => {
  const measuring = measureSteps(phases, from, to);
  for (;;) {
    const step = measuring.next();
    if (step.done) return step.value;
  }
};

/** Number of phases per step of the generator. A step takes about a millisecond. */
const PHASES_A_STEP = 500;

/**
 * Does the same as {@link measureTimeline}. It is a generator, so that the caller can let other work run between the
 * steps.
 */
export function* measureSteps(phases: Iterable<Phase>, from: number, to: number): Generator<undefined, MeasuredTime> {
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
  let count = 0;
  for (const next of phases) {
    const end = millisecondsOf(next.from);
    add(start, end, phase);
    start = end;
    phase = next;
    count += 1;
    if (count % PHASES_A_STEP === 0) yield undefined;
  }
  add(start, Number.POSITIVE_INFINITY, phase);
  return measured;
}
