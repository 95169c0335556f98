import type { CatalogueEntry, Coordination, Lease } from '../../../stores/coordination/port.ts';
import type { Generation, ReadStore } from '../../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import type { EngineTimings } from '../options.ts';
import type { EngineLogLine } from '../status/protocol.ts';
import { readBuildHeartbeats, endBuildHeartbeat } from './orphans.ts';
import { readIntactCheckpointOf } from './generations.ts';
import { withdrawDamageReport } from './damage-reports.ts';
import { removeSwitch } from './switch.ts';
import { readUnusedMarks, removeUnusedMark, splitVersion, writeUnusedMark, type UnusedMark } from './unused-marks.ts';

export interface OtherVersionsOptions {
  /** All projections of this release, whether or not this engine keeps them up to date. */
  release: readonly AnyProjection[];
  /** Tests whether this engine holds the lease of a projection of this release. */
  holdsLease: (projection: AnyProjection) => boolean;
  readStore: ReadStore;
  coordination: Coordination;
  /** Returns milliseconds since 1970. All processes that share the stores use the same clock. */
  clock: () => number;
  timings: Pick<EngineTimings, 'unusedLook' | 'unusedRetention' | 'leasePatience'>;
  log: (level: EngineLogLine['level'], message: string, error?: unknown) => void;
  signal: AbortSignal;
}

/**
 * Drops the read models of other releases one day after their last use. These are other versions of a projection of
 * this release, and projections that this release does not have.
 *
 * A mark records when such a version was first seen unused. A process that uses the version removes the mark, holds the
 * lease of the version, or moves its position. Before the version is dropped, this engine acquires that lease. So a
 * version in use is never dropped, even if the clock is wrong.
 *
 * If there are no other versions, this costs nothing except two reads at the start of the engine.
 */
export class OtherVersions {
  readonly #options: OtherVersionsOptions;
  readonly #own: ReadonlyMap<string, AnyProjection>;
  readonly #byName: ReadonlyMap<string, AnyProjection>;
  /** Time of the next look, by the monotonic clock. */
  #due = Number.NEGATIVE_INFINITY;
  /** What was there at the previous look: the leases of this engine, and the other versions. */
  #previous = '';
  #isLooking = false;
  #dropping: Promise<void> | null = null;

  constructor(options: OtherVersionsOptions) {
    this.#options = options;
    this.#own = new Map(options.release.map((projection) => [projectionKey(projection), projection]));
    this.#byName = new Map(options.release.map((projection) => [projection.name, projection]));
  }

  /** Starts a look at the other versions if one is due. Call it with each reading of the catalogue. */
  notice(catalogue: readonly CatalogueEntry[]): void {
    const present = this.#present(catalogue);
    if (this.#isLooking || (present === this.#previous && performance.now() < this.#due)) return;
    this.#previous = present;
    this.#due = performance.now() + this.#options.timings.unusedLook;
    this.#isLooking = true;
    this.#look(catalogue)
      .catch((error: unknown) => {
        const { signal, log } = this.#options;
        if (!signal.aborted) log('warn', 'Looking for unused versions of read models failed.', error);
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  /** Waits for a drop in progress. Call it after the signal was aborted, and before the stores are closed. */
  async end(): Promise<void> {
    await this.#dropping?.catch(() => undefined);
  }

  #present(catalogue: readonly CatalogueEntry[]): string {
    const leases = [...this.#own].flatMap(([key, projection]) => (this.#options.holdsLease(projection) ? [key] : []));
    const others = catalogue.flatMap(({ projection }) => (this.#own.has(projection) ? [] : [projection]));
    return `${leases.join()} ${others.join()}`;
  }

  async #look(catalogue: readonly CatalogueEntry[]): Promise<void> {
    const { readStore, coordination, holdsLease } = this.#options;
    const marks = await readUnusedMarks(coordination);
    for (const version of marks.keys()) {
      const own = this.#own.get(version);
      if (own && holdsLease(own)) await removeUnusedMark(coordination, version);
    }
    const listed = await readStore.list();
    const all = new Set([...catalogue, ...listed].map(({ projection }) => projection));
    const others = [...all].filter((version) => !this.#own.has(version) && this.#isResponsible(version));
    for (const version of others) await this.#examine(version, marks.get(version));
    if (others.length === 0) this.#due = Number.POSITIVE_INFINITY;
  }

  /**
   * Tests whether this engine must drop a version. If several engines divide the projections among them, that is the one
   * that holds the lease of this release's version. For a projection that this release does not have, it is the one that
   * holds the lease of the first projection.
   */
  #isResponsible(version: string): boolean {
    const projection = this.#byName.get(splitVersion(version).name) ?? this.#options.release[0];
    return projection !== undefined && this.#options.holdsLease(projection);
  }

  async #examine(version: string, mark: UnusedMark | undefined): Promise<void> {
    const { clock, timings, signal } = this.#options;
    signal.throwIfAborted();
    const seen = await this.#see(version);
    const now = clock();
    // If the mark is in the future, the clock was set back.
    if (mark?.seen !== seen || mark.since > now) await this.#mark(version, seen);
    else if (now - mark.since >= timings.unusedRetention) {
      signal.throwIfAborted();
      this.#dropping = this.#dropUnlessUsed(version, seen);
      await this.#dropping;
    }
  }

  #mark(version: string, seen: string): Promise<void> {
    const { coordination, clock } = this.#options;
    return writeUnusedMark(coordination, version, { since: clock(), seen });
  }

  /** Describes what changes if a process uses or builds the version. */
  async #see(version: string): Promise<string> {
    const { coordination, readStore } = this.#options;
    const entry = (await coordination.catalogue()).find(({ projection }) => projection === version);
    const numbers = (await this.#generationsOf(version)).map(({ number }) => number);
    const number = entry?.live ?? numbers.at(-1);
    const checkpoint =
      number === undefined ? null : await readIntactCheckpointOf(readStore, { projection: version, number });
    const beats = await readBuildHeartbeats(coordination, version);
    return JSON.stringify([entry?.live, entry?.last, numbers, checkpoint?.position.toString(), beats]);
  }

  async #generationsOf(version: string): Promise<Generation[]> {
    return (await this.#options.readStore.list()).filter(({ projection }) => projection === version);
  }

  async #dropUnlessUsed(version: string, seen: string): Promise<void> {
    const lease = await this.#acquire(version);
    if (!lease) {
      await this.#mark(version, seen);
      return;
    }
    try {
      const now = await this.#see(version);
      if (now === seen) await this.#drop(version, lease);
      else await this.#mark(version, now);
    } finally {
      await lease.release();
    }
  }

  /** Acquires the lease of a version. Returns null if a process holds it. */
  async #acquire(version: string): Promise<Lease | null> {
    const { coordination, timings, signal } = this.#options;
    const patience = AbortSignal.timeout(timings.leasePatience);
    try {
      return await coordination.acquire(`projection:${version}`, AbortSignal.any([signal, patience]));
    } catch (error) {
      if (patience.aborted && !signal.aborted) return null;
      throw error;
    }
  }

  /** Drops a version. If this is interrupted, the next look finds the remains, and repeats it. */
  async #drop(version: string, lease: Lease): Promise<void> {
    const { readStore, coordination, log } = this.#options;
    for (const generation of await this.#generationsOf(version)) {
      await readStore.drop(generation, lease);
      await endBuildHeartbeat(coordination, generation);
    }
    await withdrawDamageReport(coordination, version);
    await removeSwitch(coordination, version);
    await coordination.removeFromCatalogue(version, lease.token);
    await removeUnusedMark(coordination, version);
    log('info', `The read model ${version} was dropped, because no process has used it for a day.`);
  }
}
