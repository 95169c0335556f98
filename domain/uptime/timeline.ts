import { COMPONENT_STATUSES, worstStatus, type ComponentStatus } from '../page/component-status.ts';
import type { Instant } from '../time.ts';
import type { Lane } from './lane.ts';
import { merged, type MergedStep } from './merged-lanes.ts';

/** The effective status of a component from `from` until the next phase. */
export interface Phase {
  from: Instant;
  /** the worst of the statuses that count */
  status: ComponentStatus;
  /** the step that set this status; null if no status counts, so that the component is operational */
  set_by: MergedStep | null;
  /** why the phase is excluded from uptime; null if the phase is measured */
  left_out: LeftOut | null;
}

/** The reason why a phase is excluded from uptime (docs/reference/uptime.md#excluded-time). */
export interface LeftOut {
  /**
   * `maintenance`: a maintenance that names the component is in progress; `under_maintenance`: this status counts for
   * the component
   */
  rule: 'maintenance' | 'under_maintenance';
  /** the step that started the maintenance, or that set the status */
  by: MergedStep | null;
}

/** The newest status that a lane (an incident, a hold or a person) set for the component. */
interface Statement {
  status: ComponentStatus;
  /** the step that set the status */
  by: MergedStep;
  /** whether the incident is unresolved */
  open: boolean;
  /** whether the status was recorded after the end of the incident */
  past: boolean;
}

/**
 * `of`: the newest statement of each lane since the last manual edit. `counting`: the statements that currently count.
 */
interface Statements {
  of: Map<Lane, Statement>;
  counting: Counting;
}

/** The statements that currently count. Every change takes constant time. */
class Counting {
  readonly #open = new Set<Statement>();
  readonly #closed = new Set<Statement>();
  /** number of statements by status */
  readonly #statuses = new Map<ComponentStatus, number>();
  /** by status: the statements in the order in which they began to count; see {@link first} */
  readonly #added = new Map<ComponentStatus, Queue>();

  add(statement: Statement): void {
    if (this.#isCounting(statement)) return;
    (statement.open ? this.#open : this.#closed).add(statement);
    this.#count(statement, 1);
    const queue = this.#added.get(statement.status);
    if (queue) queue.statements.push(statement);
    else this.#added.set(statement.status, { statements: [statement], first: 0 });
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
    this.#added.clear();
  }

  has(status: ComponentStatus): boolean {
    return (this.#statuses.get(status) ?? 0) > 0;
  }

  get worst(): ComponentStatus {
    return worstStatus(COMPONENT_STATUSES.filter((status) => this.has(status)));
  }

  /**
   * Returns the step of the statement that has counted longest among the statements with this status. Skips statements
   * at the start of the queue that no longer count, and never examines them again. So all calls together take time
   * proportional to the number of additions.
   */
  first(status: ComponentStatus): MergedStep | null {
    const queue = this.#added.get(status);
    if (!queue) return null;
    const { statements } = queue;
    for (; queue.first < statements.length; queue.first++) {
      const statement = statements[queue.first];
      if (statement && this.#isCounting(statement)) return statement.by;
    }
    this.#added.delete(status);
    return null;
  }

  #isCounting(statement: Statement): boolean {
    return this.#open.has(statement) || this.#closed.has(statement);
  }

  #count({ status }: Statement, by: 1 | -1): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + by);
  }
}

/** Statements in the order of their addition; those before `first` no longer count. */
interface Queue {
  statements: Statement[];
  first: number;
}

/**
 * Computes the phases of a component lazily from all its lanes (docs/reference/uptime.md#timelines). Before the first
 * phase, the component is operational. In each phase, the worst of all statuses that count applies:
 *
 * - A status that an incident sets counts while the incident is unresolved.
 * - A status that remains after the resolution of its incident, or that a person set, counts until any lane sets a
 *   status of the component.
 * - A manual edit ends all earlier statuses.
 * - A status that was recorded after the end of its incident counts only during the incident, and ends no other status.
 * - A hold of an alert counts like an incident, from its start until its release.
 */
export function* phasesIn(lanes: readonly Lane[]): Generator<Phase> {
  const statements: Statements = { of: new Map(), counting: new Counting() };
  const { counting } = statements;
  /** the maintenances in progress, each with the step that started it */
  const underWay = new Map<Lane, MergedStep>();
  for (const by of merged(lanes)) {
    const { lane, step } = by;
    if (lane.source === 'edit' || lane.source === 'creation') setByHand(statements, by);
    else follow(statements, by);
    if (!step.under_way) underWay.delete(lane);
    else if (!underWay.has(lane)) underWay.set(lane, by);
    const { worst: status } = counting;
    yield { from: step.at, status, set_by: counting.first(status), left_out: leftOutBy(underWay, counting) };
  }
}

const leftOutBy = (underWay: ReadonlyMap<Lane, MergedStep>, counting: Counting): LeftOut | null => {
  for (const by of underWay.values()) return { rule: 'maintenance', by };
  if (!counting.has('under_maintenance')) return null;
  return { rule: 'under_maintenance', by: counting.first('under_maintenance') };
};

/** Returns all phases of a component, in order. */
export const phasesOf = (lanes: readonly Lane[]): Phase[] => [...phasesIn(lanes)];

const follow = ({ of, counting }: Statements, by: MergedStep): void => {
  const { lane, step } = by;
  const { sets, past, open } = step;
  const before = of.get(lane);
  if (sets !== null) {
    if (before) counting.delete(before);
    if (!past) counting.endClosed();
    const statement = { status: sets, by, open, past };
    of.set(lane, statement);
    if (open || !past) counting.add(statement);
  } else if (before && before.open !== open) {
    counting.setOpen(before, open);
    if (open) counting.add(before);
    else if (before.past) counting.delete(before);
  }
};

const setByHand = ({ of, counting }: Statements, by: MergedStep): void => {
  const { sets } = by.step;
  if (by.lane.source === 'edit') {
    of.clear();
    counting.clear();
  } else {
    counting.endClosed();
  }
  if (sets !== null) counting.add({ status: sets, by, open: false, past: false });
};
