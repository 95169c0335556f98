import type { RecordedEvent } from '../../../domain/event.ts';
import type { AnyProjection } from '../fold/define.ts';
import { folds } from './lag.ts';
import type { ProjectionStatus } from './protocol.ts';

/** Where the logs end, to find out whether a read model has all of its log. */
export interface LogEnds {
  /** positions that read models must have passed first: the ends of the logs at the start, if known */
  marks: Readonly<Record<'main' | 'results', bigint>> | null;
  /** The events of a log after the position of an event, in pages, up to its end. */
  after: (
    log: 'main' | 'results',
    position: bigint,
  ) => AsyncIterable<readonly Pick<RecordedEvent, 'type' | 'position'>[]>;
}

/** How often a failed search for the end of a log is repeated during a wait, milliseconds. */
const SEARCH_MS = 500;

/** Whether a read model may lack something that others have seen in it. */
interface Known {
  projection: AnyProjection;
  current: boolean;
  /** position that it must pass; null while it is not known */
  mark: bigint | null;
  /** counts how often it had to catch up; the result of a search that began earlier is ignored */
  round: number;
  last: ProjectionStatus | null;
  waiting: Set<() => void>;
}

/**
 * Tracks which read models have caught up. A power cut, or a failover to another server, may lose the last seconds of a
 * read model, although its content, or at least that of the log, was acknowledged. Therefore a read model must pass the
 * end of its log, as far as that concerns it, before it can be relied on: when the process starts, when another
 * generation is used, when it went backwards, and after a store was unavailable. After that, the answer is a boolean in
 * memory.
 *
 * A read model that is stopped at an event is never waited for: it shows everything before that event until an operator
 * acts.
 */
export class CatchUp {
  readonly #ends: LogEnds | null;
  readonly #known: ReadonlyMap<string, Known>;
  #searching = false;

  /** @param ends null: the ends of the logs are unknown, and each read model counts as caught up */
  constructor(projections: readonly AnyProjection[], ends: LogEnds | null) {
    this.#ends = ends;
    this.#known = new Map(
      projections.map((projection) => {
        const mark = ends?.marks?.[projection.log] ?? null;
        const known = {
          projection,
          current: ends === null,
          mark,
          round: 0,
          last: null,
          waiting: new Set<() => void>(),
        };
        return [projection.name, known];
      }),
    );
  }

  isCurrent(name: string): boolean {
    const known = this.#known.get(name);
    return known !== undefined && (known.current || known.last?.state === 'stopped');
  }

  /** Updates the status of a read model. */
  take(status: ProjectionStatus): void {
    const known = this.#known.get(status.name);
    if (!known || !this.#ends) return;
    if (known.last && mustCatchUp(known.last, status)) {
      known.current = false;
      known.mark = null;
      known.round += 1;
    }
    known.last = status;
    if (!known.current) this.#look(known);
  }

  /** @returns whether it has caught up within this many milliseconds */
  async wait(name: string, milliseconds: number): Promise<boolean> {
    const known = this.#known.get(name);
    const until = performance.now() + milliseconds;
    while (known && !this.isCurrent(name)) {
      const left = until - performance.now();
      if (left <= 0) return false;
      this.search();
      await changed(known, Math.min(left, SEARCH_MS));
    }
    return true;
  }

  /** Looks for the ends of logs that are not known yet, unless a search is running. */
  search(): void {
    if (this.#searching || this.#unmarked().length === 0) return;
    this.#searching = true;
    void this.#findMarks()
      .then(
        () => true,
        // A waiting reader starts the search again.
        () => false,
      )
      .then((found) => {
        this.#searching = false;
        if (found) this.search();
      });
  }

  #look(known: Known): void {
    const { mark, last } = known;
    if (mark === null) this.search();
    else if (last && last.generation !== null && last.position >= mark) known.current = true;
    if (known.current || last?.state === 'stopped') for (const wake of [...known.waiting]) wake();
  }

  /** Read models whose marks are not known. */
  #unmarked(): Known[] {
    return [...this.#known.values()].filter(
      ({ current, mark, last }) =>
        !current && mark === null && last !== null && last.generation !== null && last.state !== 'stopped',
    );
  }

  /** A mark is the last event that concerns the read model; later events do not change it. */
  async #findMarks(): Promise<void> {
    const unmarked = this.#unmarked();
    for (const log of ['main', 'results'] as const) {
      const found = unmarked.flatMap((known) => {
        const { projection, round, last } = known;
        return last && projection.log === log ? [{ known, round, mark: last.position }] : [];
      });
      const [first, ...others] = found;
      if (!first || !this.#ends) continue;
      // Not from the furthest one: it may belong to another log, for example to one before a restore.
      const from = others.reduce((least, { mark }) => (mark < least ? mark : least), first.mark);
      for await (const events of this.#ends.after(log, from)) {
        for (const one of found) {
          const { projection } = one.known;
          const last = events.findLast(({ type, position }) => position > one.mark && folds(projection, type));
          if (last) one.mark = last.position;
        }
      }
      for (const { known, round, mark } of found) {
        if (known.round !== round) continue;
        known.mark = mark;
        this.#look(known);
      }
    }
  }
}

/** Whether future reads may lack something that was read before, or acknowledged meanwhile. */
const mustCatchUp = (before: ProjectionStatus, now: ProjectionStatus): boolean =>
  // Also the first one: much may have been appended while its indexes were built.
  now.generation !== before.generation ||
  (now.generation !== null && now.position < before.position) ||
  (before.state === 'failing' && now.state !== 'failing');

/** Resolves after a change, or after this many milliseconds. */
const changed = ({ waiting }: Known, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      waiting.delete(over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    waiting.add(over);
  });
