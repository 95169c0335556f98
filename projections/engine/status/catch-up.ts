import type { RecordedEvent } from '../../../domain/event.ts';
import type { AnyProjection } from '../fold/define.ts';
import { folds } from './lag.ts';
import type { ProjectionStatus } from './protocol.ts';

/** Finds the ends of the logs, to find out whether a read model has caught up. */
export interface LogEnds {
  /** Ends of the logs when the process started, which read models must reach first. Null if unknown. */
  marks: Readonly<Record<'main' | 'results', bigint>> | null;
  /** Reads the events of a log after the position of an event, in pages, up to the end of the log. */
  after: (
    log: 'main' | 'results',
    position: bigint,
  ) => AsyncIterable<readonly Pick<RecordedEvent, 'type' | 'position'>[]>;
}

/** Interval at which a failed search for the end of a log is repeated during a wait, in milliseconds. */
const SEARCH_MS = 500;

/** A read model that must catch up or has caught up (see {@link CatchUp}). */
interface Known {
  projection: AnyProjection;
  current: boolean;
  /** Position that the read model must reach. Null while the position is unknown. */
  mark: bigint | null;
  /** Number of times that the read model had to catch up. Searches of earlier rounds are ignored. */
  round: number;
  last: ProjectionStatus | null;
  waiting: Set<() => void>;
}

/**
 * Tracks which read models have caught up. A power cut, or a failover of the database, can undo the final seconds of
 * writes to a read model, although readers may already have seen these writes. Therefore a read model must first reach
 * the newest relevant event of its log before readers can rely on it. This applies when the process starts, when
 * readers switch to another generation, when a position went backwards, and after a store was unavailable. The process
 * remembers in memory which read models have caught up.
 *
 * Readers do not wait for a read model that has stopped at an event. Until an operator acts, such a read model shows
 * all earlier events.
 */
export class CatchUp {
  readonly #ends: LogEnds | null;
  readonly #known: ReadonlyMap<string, Known>;
  #searching = false;

  /** @param ends null if the logs cannot be read; then all read models count as caught up */
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

  /** Waits for a read model. @returns whether it has caught up within this time */
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

  /** Starts a search for the positions that read models must reach, unless a search is running. */
  search(): void {
    if (this.#searching || this.#unmarked().length === 0) return;
    this.#searching = true;
    void this.#findMarks()
      .then(
        () => true,
        // After a failure, a waiting reader starts the search again.
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

  /** Returns the read models that must catch up but whose mark is unknown. */
  #unmarked(): Known[] {
    return [...this.#known.values()].filter(
      ({ current, mark, last }) =>
        !current && mark === null && last !== null && last.generation !== null && last.state !== 'stopped',
    );
  }

  /** Finds the marks of read models. A mark is the position of the newest event that the read model handles. */
  async #findMarks(): Promise<void> {
    const unmarked = this.#unmarked();
    for (const log of ['main', 'results'] as const) {
      const found = unmarked.flatMap((known) => {
        const { projection, round, last } = known;
        return last && projection.log === log ? [{ known, round, mark: last.position }] : [];
      });
      const [first, ...others] = found;
      if (!first || !this.#ends) continue;
      // Start at the lowest position. The highest one might belong to a log that was replaced by a restored backup.
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

/** Tests whether later reads might lack something that was read before or acknowledged in the meantime. */
const mustCatchUp = (before: ProjectionStatus, now: ProjectionStatus): boolean =>
  // This includes the first generation: many events might have been appended while its indexes were created.
  now.generation !== before.generation ||
  (now.generation !== null && now.position < before.position) ||
  (before.state === 'failing' && now.state !== 'failing');

/** Resolves after a change of the read model, or after this many milliseconds. */
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
