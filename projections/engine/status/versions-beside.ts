import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogueEntry } from '../../../stores/coordination/port.ts';
import type { Generation, ReadStore } from '../../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import { splitVersion } from '../generations/unused-marks.ts';
import type { PublishedState } from './published-state.ts';

export interface VersionsBesideOptions {
  projections: readonly AnyProjection[];
  readStore: Pick<ReadStore, 'checkpoints'>;
  /** Times in milliseconds. */
  timings: {
    /** An engine that is silent for this time is considered dead. */
    silence: number;
    /** Time for which a read model counts as not caught up after it was found beside another version. */
    settle: number;
    /** Interval of polls for the position of another version. */
    awaited: number;
  };
}

/** The positions of appended events, by event type. */
type Positions = ReadonlyMap<string, bigint>;

/**
 * Longest wait for a version, in milliseconds. A version that did not get there in this time is not waited for until its
 * engine reports again, because that engine has probably ended.
 */
const LONGEST_MS = 2_000;

/**
 * Knows the versions of read models that another release uses at the same time. A client may send a write to a process
 * of one release, and the next read to a process of the other one. Therefore, the response to a write waits until both
 * versions contain the write.
 *
 * To find out whether the engine of another version is running takes as long as the interval of its reports. For this
 * time, a read model beside another version counts as not caught up, so that clients are served by other processes.
 */
export class VersionsBeside {
  readonly #options: VersionsBesideOptions;
  readonly #own: ReadonlyMap<string, AnyProjection>;
  readonly #names: ReadonlySet<string>;
  /** The generations in use of other versions, by name of the projection. */
  #generations = new Map<string, Generation[]>();
  /** The states that engines have reported most recently, by name@version. Null before the first reading. */
  #states: ReadonlyMap<string, PublishedState> | null = null;
  /** Times of the most recent reports that were noticed, by name@version and by the monotonic clock. */
  readonly #reportedAt = new Map<string, number>();
  /** Times since when this process knows a generation of its own version, by name. */
  readonly #since = new Map<string, number>();
  /** Versions that are not waited for until their engines report again, by name@version. */
  readonly #late = new Set<string>();

  constructor(options: VersionsBesideOptions) {
    this.#options = options;
    this.#own = new Map(options.projections.map((projection) => [projectionKey(projection), projection]));
    this.#names = new Set(options.projections.map(({ name }) => name));
  }

  takeCatalogue(entries: readonly CatalogueEntry[]): void {
    this.#generations = new Map();
    for (const { projection, live } of entries) {
      const { name } = splitVersion(projection);
      if (live === null || this.#own.has(projection) || !this.#names.has(name)) continue;
      this.#generations.set(name, [...(this.#generations.get(name) ?? []), { projection, number: live }]);
    }
  }

  takeStates(states: ReadonlyMap<string, PublishedState>): void {
    const now = performance.now();
    // The first reading does not show whether the engine that has reported a state is still running.
    if (this.#states) {
      for (const [key, { beat }] of states) {
        if (this.#states.get(key)?.beat === beat) continue;
        this.#reportedAt.set(key, now);
        this.#late.delete(key);
      }
    }
    this.#states = states;
  }

  /** @param generation number of the generation of this release's version; null if there is none */
  takeOwn(name: string, generation: number | null): void {
    if (generation === null) this.#since.delete(name);
    else if (!this.#since.has(name)) this.#since.set(name, performance.now());
  }

  /** Tests whether it is known which other versions of a read model are in use, here and in other processes. */
  isSettled(name: string): boolean {
    if (!this.#generations.has(name)) return true;
    return performance.now() - (this.#since.get(name) ?? Number.POSITIVE_INFINITY) >= this.#options.timings.settle;
  }

  /** Waits until `isSettled` returns true, for at most this time. @returns whether it does */
  async settled(name: string, milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds;
    while (!this.isSettled(name)) {
      if (performance.now() >= end) return false;
      await sleep(Math.min(50, Math.max(1, end - performance.now())));
    }
    return true;
  }

  /**
   * Waits until the other versions of a read model have folded appended events, for at most this time. Does not wait for
   * a version whose engine is not running, has stopped at an event, or was late.
   */
  async passed(name: string, positions: Positions, milliseconds: number): Promise<void> {
    const generations = this.#generations.get(name);
    if (!generations) return;
    await Promise.all(generations.map((generation) => this.#passed(generation, positions, milliseconds)));
  }

  async #passed(generation: Generation, positions: Positions, milliseconds: number): Promise<void> {
    const { readStore, timings } = this.#options;
    const key = generation.projection;
    const position = this.#concerning(key, positions);
    const end = performance.now() + Math.min(milliseconds, LONGEST_MS);
    while (this.#isFollowed(key)) {
      const [checkpoint] = await readStore.checkpoints([generation]);
      if (!checkpoint || checkpoint.position >= position) return;
      if (performance.now() >= end) {
        this.#late.add(key);
        return;
      }
      await sleep(timings.awaited);
    }
  }

  /** Returns the position that a version must have reached, or 0 if it folds none of the events. */
  #concerning(key: string, positions: Positions): bigint {
    const folded = this.#states?.get(key)?.folds ?? [];
    return folded.reduce((highest, type) => {
      const position = positions.get(type) ?? 0n;
      return position > highest ? position : highest;
    }, 0n);
  }

  #isFollowed(key: string): boolean {
    const isAlive =
      performance.now() - (this.#reportedAt.get(key) ?? Number.NEGATIVE_INFINITY) <= this.#options.timings.silence;
    return isAlive && this.#states?.get(key)?.state === 'live' && !this.#late.has(key);
  }
}
