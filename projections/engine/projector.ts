import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lease } from '../../stores/coordination/port.ts';
import { GenerationDamaged } from '../../stores/read-store/port.ts';
import { reportDamage } from './generations/damage-reports.ts';
import { causeOf } from './status/error-cause.ts';
import { projectionKey, type AnyProjection, type Collections } from './fold/define.ts';
import type { Folding } from './fold/folding.ts';
import { RetiringGeneration } from './generations/retiring.ts';
import { dropOrphans } from './generations/orphans.ts';
import type { LogFeed, EventPage } from './feed/log-feed.ts';
import type { ProjectionContext } from './options.ts';
import { folds, unfolded, type Unfolded } from './status/lag.ts';
import { findPoison, type Poison } from './fold/poison.ts';
import type { ProjectionFailure, ProjectionState, ProjectionStatus } from './status/protocol.ts';
import type { WriteReport } from './status/write-reports.ts';
import { buildLogLevel, openRebuilt, startGeneration } from './generations/start-generation.ts';

export interface ProjectorOptions extends ProjectionContext {
  projection: AnyProjection;
  feed: LogFeed;
  publish: (status: ProjectionStatus) => void;
  reportWritten: (written: WriteReport) => void;
}

/**
 * If no documents have to be stored, the position is stored only when it is this many events ahead of the stored
 * position, and at most once per `timings.checkpoint`. After a crash, the events after the stored position are folded
 * again; they change no document.
 */
const EVENTS_PER_CHECKPOINT = 500;

/**
 * A projection that is behind commits after this many events. With large commits, a document that many events touch is
 * written only once, and index entries are written in fewer pages. A projection that is not behind commits immediately,
 * because readers might be waiting.
 */
const EVENTS_PER_COMMIT = 3_000;

/** If a page of events takes longer than this, in milliseconds, the lag is reported before the page is folded. */
const SLOW = 1_000;

const SWEPT_AT_ONCE = 500;
/** The longest pause after a failure, in milliseconds. Work resumes at most this time after the store works again. */
const LONGEST_PAUSE = 2_000;

/** Keeps one projection up to date while it holds the projection's lease. */
export class Projector {
  readonly projection: AnyProjection;
  /** name@version */
  readonly key: string;
  readonly #options: ProjectorOptions;
  readonly #mutex = createMutex();
  /** Number of tasks that hold the mutex or wait for it. */
  #turns = 0;
  #lease: Lease | null = null;
  #folding: Folding | null = null;
  /** Whether readers use the generation. If not, it is still being built. */
  #serving = false;
  /** Position that readers can rely on. All events up to it are folded, and all changed documents are stored. */
  #reached = 0n;
  /** The oldest event that is known but not folded. Updated with each page of events. */
  #oldest: Unfolded | null = null;
  /** Whether any document might have changed since the previous report of writes. */
  #unknownWritten = true;
  /** The most recent sweep that was completed. */
  #swept: { folding: Folding; before: Instant; commits: number } | null = null;
  #retiring: RetiringGeneration | null = null;
  /** Number of the rebuilt generation that readers are about to be switched to. */
  #adopting: number | null = null;
  /** Number of consecutive failures of a store. */
  #failures = 0;
  #wakeStopped: (() => void) | null = null;
  /** Ends the work on the generation, so that the projector starts over. */
  #again = new AbortController();

  constructor(options: ProjectorOptions) {
    this.projection = options.projection;
    this.key = projectionKey(options.projection);
    this.#options = options;
  }

  get holdsLease(): boolean {
    return this.#lease !== null;
  }

  /** Keeps the projection up to date. Resolves after the signal was aborted and the checkpoint was stored. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      try {
        const lease = await this.#acquire();
        this.#lease = lease;
        await this.#work(lease).finally(() => lease.release());
      } catch (error) {
        await this.#fail(error, signal);
      } finally {
        this.#lease = null;
      }
    }
  }

  /**
   * Switches readers to a generation that a rebuild has built, and keeps this generation up to date.
   *
   * @throws Error if the generation cannot be used and was dropped, or if it is unknown whether readers were switched;
   * in the second case the projector starts over with the generation that readers use
   */
  async adopt(number: number): Promise<void> {
    const { coordination, log, signal } = this.#options;
    const lease = this.#lease;
    if (!lease) throw new Error(`${this.key} is not kept up to date here.`);
    // The switch has already been made. The request is repeated only because the first response was lost.
    if (this.#serving && this.#folding?.generation.number === number) return;
    this.#adopting = number;
    const done = { asked: false };
    try {
      const next = await this.#inTurn(() => openRebuilt(this.projection, number, this.#options, lease));
      await this.#comeTo(next.position);
      while (!(await this.#approach(next))) await breathe(undefined, { signal });
      await this.#inTurn(async () => {
        if (this.#lease !== lease) throw new Error(`${this.key} is not kept up to date here any more.`);
        while (!(await this.#approach(next)));
        // Store the replaced generation, so that its remaining readers find current data. Ignore errors, because this
        // generation might be damaged.
        await this.#store().catch(() => undefined);
        done.asked = true;
        await coordination.switchGeneration(this.key, number, lease.token);
        this.#replaceBy(next, lease);
      });
    } catch (error) {
      if (done.asked) this.#beginAnew();
      else await this.#dropRefused(number, lease);
      throw error;
    } finally {
      this.#adopting = null;
    }
    log('info', `${this.key} is now read from another generation.`, { generation: number });
    this.#wakeStopped?.();
  }

  #replaceBy(next: Folding, lease: Lease): void {
    const replaced = this.#folding;
    if (replaced) {
      const fed = this.#serving && replaced.position === next.position;
      this.#retiring = new RetiringGeneration(replaced, fed, this.#options, lease);
    }
    this.#folding = next;
    this.#unknownWritten = true;
    this.#serving = true;
    this.#reached = next.position;
    this.#publish('live');
  }

  /** Drops a refused generation, because the rebuild that has built it can no longer drop it. */
  async #dropRefused(number: number, lease: Lease): Promise<void> {
    const { readStore, log } = this.#options;
    try {
      await readStore.drop({ projection: this.key, number }, lease);
    } catch (error) {
      // The generation is an orphan now, and the next start drops it.
      log('warn', `A generation of ${this.key} could not be dropped.`, { generation: number, error: String(error) });
    }
  }

  #beginAnew(): void {
    this.#again.abort();
    this.#wakeStopped?.();
  }

  /** Starts over if the generation that readers have found damaged is the current one. */
  restartIfDamaged(number: number): void {
    if (this.#folding?.generation.number === number) this.#again.abort();
  }

  /** Whether the position is far ahead of the stored one. False if a commit of documents will store the position. */
  get isFarAhead(): boolean {
    const folding = this.holdsLease ? this.#folding : null;
    return folding !== null && !folding.dirty && folding.isAheadOfStore && folding.uncommitted >= EVENTS_PER_CHECKPOINT;
  }

  /** Stores the position of the projection, if it is far ahead and there are no documents to store. */
  async storeCheckpoint(): Promise<void> {
    if (!this.isFarAhead) return;
    await this.#inTurn(async () => {
      if (this.isFarAhead) await this.#folding?.commit();
    });
  }

  /**
   * Removes expired documents in small steps. Does nothing if, since the previous sweep, the retention period has not
   * moved and no documents were written.
   *
   * @param before start of the retention period
   */
  async sweep(before: Instant): Promise<void> {
    const { signal } = this.#options;
    const folding = this.holdsLease ? this.#folding : null;
    if (!folding) return;
    const { commits } = folding;
    const swept = this.#swept;
    if (swept?.folding === folding && swept.before === before && swept.commits === commits) return;
    for (const [name, { expires }] of Object.entries(this.projection.collections as Collections)) {
      let removed = expires ? SWEPT_AT_ONCE : 0;
      while (removed === SWEPT_AT_ONCE && this.#serving && !signal.aborted) {
        removed = await this.#inTurn(async () => {
          if (this.#folding?.dirty) await this.#store();
          return this.#folding?.sweep(name, before, SWEPT_AT_ONCE) ?? 0;
        });
        this.#reportWritten();
        await breathe();
      }
    }
    // Documents that were committed during this sweep are swept by the next sweep.
    if (this.#serving && this.#folding === folding) this.#swept = { folding, before, commits };
  }

  /** Reports that any document might have changed. */
  reportUnknown(): void {
    this.#unknownWritten = true;
    this.#reportWritten();
  }

  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    this.#turns++;
    try {
      return await this.#mutex(task);
    } finally {
      this.#turns--;
    }
  }

  async #acquire(): Promise<Lease> {
    const { coordination, signal } = this.#options;
    const waiting = setTimeout(() => {
      this.#publish('waiting');
    }, 1_000);
    return coordination.acquire(`projection:${this.key}`, signal).finally(() => {
      clearTimeout(waiting);
    });
  }

  /** Works under a lease, and starts over after a failure. Resolves when the lease or the engine ends. */
  async #work(lease: Lease): Promise<void> {
    const leaseOrEngineEnds = AbortSignal.any([this.#options.signal, lease.lost]);
    // A retiring generation of an earlier lease is dropped as an orphan.
    this.#retiring?.end();
    this.#retiring = null;
    // Only one clean-up runs at a time. It can take a minute, and the work might start over in the meantime.
    let clearing: Promise<void> | null = null;
    while (!leaseOrEngineEnds.aborted) {
      try {
        await this.#inTurn(() => this.#start(lease));
        clearing ??= this.#dropOrphans(lease, leaseOrEngineEnds).finally(() => {
          clearing = null;
        });
        this.#again = new AbortController();
        await this.#follow(AbortSignal.any([leaseOrEngineEnds, this.#again.signal]));
        if (!lease.lost.aborted) await this.#inTurn(() => this.#store());
      } catch (error) {
        if (error instanceof GenerationDamaged) await reportDamage(this.#options.coordination, error.generation);
        const poison = findPoison(error);
        if (poison) await this.#stop(poison, leaseOrEngineEnds);
        else await this.#fail(error, leaseOrEngineEnds);
      }
    }
  }

  async #start(lease: Lease): Promise<void> {
    const { folding, serving } = await startGeneration(this.projection, this.#options, lease);
    this.#folding = folding;
    this.#serving = serving;
    this.#unknownWritten = true;
    this.#reached = folding.position;
    if (!serving) this.#publish('building');
  }

  /** Folds events as they arrive. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { feed } = this.#options;
    for (let caughtUp = false; ;) {
      const from = this.#folding?.position ?? 0n;
      // The first read does not wait: it finds out whether this projection is at the end of the log. A build that has
      // reached the mark does not wait for further events either.
      const wait = caughtUp && (this.#serving || from < feed.mark);
      const page = await this.#next(from, wait, signal);
      if (!page) return;
      caughtUp = page.atEnd;
      if (this.#passOver(page, from)) continue;
      await this.#inTurn(() => this.#take(page, from));
      // Let other projections, timers and messages run.
      await breathe();
    }
  }

  /** Reads the page after a position. If this fails, stores what is folded, so that readers see all earlier events. */
  async #next(from: bigint, wait: boolean, signal: AbortSignal): Promise<EventPage | null> {
    try {
      return await this.#options.feed.after(from, { wait, signal });
    } catch (error) {
      if (!signal.aborted) await this.#inTurn(() => this.#store());
      throw error;
    }
  }

  /**
   * Skips new events that the projection does not handle. This is a shortcut, because a projection does not handle most
   * events.
   *
   * @returns false if the page must be processed
   */
  #passOver({ events, atEnd }: EventPage, from: bigint): boolean {
    const folding = this.#folding;
    const isAtRest = this.#serving && this.#turns === 0 && this.#failures === 0 && !this.#oldest;
    if (!folding || !isAtRest || this.#retiring?.isFed || !atEnd || this.#reached !== from || folding.position !== from)
      return false;
    if (!folding.passOver(events)) return false;
    this.#reached = folding.position;
    this.#publish('live');
    return true;
  }

  async #take({ events, atEnd }: EventPage, from: bigint): Promise<void> {
    const folding = this.#folding;
    // The page might have been requested for a generation that was replaced in the meantime.
    if (!folding || from > folding.position) return;
    const first = events.find(({ position, type }) => position > folding.position && folds(this.projection, type));
    if (!folding.dirty) this.#oldest = first ? unfolded(first) : null;
    const slow = setTimeout(() => {
      this.#publish(this.#serving ? 'catching_up' : 'building');
    }, SLOW);
    let behind = false;
    try {
      await folding.fold(events);
      behind = !atEnd && folding.uncommitted < EVENTS_PER_COMMIT;
    } finally {
      try {
        // Commit even if an event could not be folded, because all events before it are applied.
        if (!behind && this.#mustStore(folding)) await folding.commit();
      } finally {
        clearTimeout(slow);
      }
      if (!folding.dirty) this.#reached = folding.position;
    }
    // The time of the next event is unknown until that event is read. Assume the time of the previous event instead.
    const last = events.at(-1);
    if (!folding.dirty) this.#oldest = atEnd || !last ? null : { ...unfolded(last), position: last.position + 1n };
    if (!this.#serving && atEnd && folding.position >= this.#options.feed.mark) await this.#finishBuild(folding);
    this.#failures = 0;
    if (this.#serving) this.#publish(atEnd ? 'live' : 'catching_up');
    else this.#publish('building');
    await this.#retiring?.take(events);
  }

  /**
   * Tests whether the folded events must be stored now. If no document has changed, the position usually need not be
   * stored.
   */
  #mustStore({ dirty, hasHandledEvents }: Folding): boolean {
    return dirty || (hasHandledEvents && this.#options.positionsFollowed);
  }

  /** Stores everything that is folded. */
  async #store(): Promise<void> {
    if (!this.#folding?.isAheadOfStore) return;
    await this.#folding.commit();
    this.#reached = this.#folding.position;
  }

  async #finishBuild({ generation }: Folding): Promise<void> {
    const { readStore, coordination, log } = this.#options;
    if (!this.#lease) return;
    const level = await buildLogLevel(this.#options.store);
    // Store the checkpoint. Without it, the generation would be built again after a restart.
    await this.#store();
    await readStore.buildIndexes(generation);
    await coordination.switchGeneration(this.key, generation.number, this.#lease.token);
    this.#serving = true;
    log(level, `${this.key} is built.`, { generation: generation.number });
  }

  /** Waits until this projection has reached the position of a rebuilt generation, for at most a second. */
  async #comeTo(position: bigint): Promise<void> {
    for (let polls = 0; polls < 100 && this.#reached < position; polls++) await sleep(10);
  }

  /**
   * Folds events into a rebuilt generation up to the position of this projection.
   *
   * @returns whether the generation has reached this position
   */
  async #approach(next: Folding): Promise<boolean> {
    const { feed, signal } = this.#options;
    const target = this.#folding?.position ?? 0n;
    if (next.position >= target) return true;
    const page = await feed.after(next.position, { wait: false, signal });
    const due = page?.events.filter((event) => event.position <= target) ?? [];
    await next.fold(due);
    await next.commit();
    return due.length === 0 || next.position >= target;
  }

  /** Logs an error, and waits until another generation is adopted. */
  async #stop({ failure, recordedAt }: Poison, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { message, position, event_id } = failure;
    if (position !== null) this.#oldest = { position, recordedAt };
    this.#options.log('error', message, { position: position?.toString() ?? null, event: event_id });
    this.#publish('stopped', failure);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wakeStopped = wake;
      signal.addEventListener('abort', wake);
    });
  }

  /** Reports an error, and pauses. */
  async #fail(error: unknown, signal: AbortSignal): Promise<void> {
    // If the work was ended, the failure is only a consequence, and is not reported.
    if (signal.aborted) return;
    const { timings, log } = this.#options;
    const cause = causeOf(error);
    log('error', `${this.key} cannot be kept up to date now.`, {}, cause);
    this.#publish('failing', { message: cause.message, position: null, event_id: null, event_type: null });
    const pause = Math.min(timings.retry * 2 ** this.#failures++, LONGEST_PAUSE);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }

  async #dropOrphans(lease: Lease, signal: AbortSignal): Promise<void> {
    const { readStore, coordination, timings, log } = this.#options;
    const inUse = (number: number): boolean =>
      [this.#folding?.generation.number, this.#retiring?.number, this.#adopting].includes(number);
    try {
      await dropOrphans({
        projection: this.key,
        readStore,
        coordination,
        lease,
        inUse,
        undisturbed: (task) => this.#inTurn(task),
        silence: timings.builderSilence,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) log('warn', `Orphans of ${this.key} could not be dropped.`, { error: String(error) });
    }
  }

  #isBehind(): boolean {
    return this.#oldest !== null && this.#oldest.position > this.#reached;
  }

  /** Logs which documents were set aside or released. */
  #tellNews(): void {
    for (const { document, back } of this.#folding?.takeSetAsideChanges() ?? []) {
      const { id, reason, event } = document;
      const fields = { document: id, position: event?.position ?? null, event: event?.id ?? null };
      const { log } = this.#options;
      if (back) log('info', `A document of ${this.key} is no longer set aside.`, fields);
      else log('error', `A document of ${this.key} is set aside: ${reason}`, fields);
    }
  }

  #publish(state: ProjectionState, error: ProjectionFailure | null = null): void {
    const { publish } = this.#options;
    const { name, version, log } = this.projection;
    const position = this.#reached;
    const generation = this.#serving ? (this.#folding?.generation.number ?? null) : null;
    const oldest = this.#isBehind() ? this.#oldest : null;
    const set_aside = this.#serving ? (this.#folding?.setAside ?? 0) : 0;
    this.#tellNews();
    publish({ name, version, log, generation, position, oldest, state, error, set_aside });
    if (state === 'live' || state === 'catching_up' || state === 'stopped') this.#reportWritten();
  }

  /** Reports what was written, if such reports are wanted. */
  #reportWritten(): void {
    const { demand, reportWritten } = this.#options;
    if (!demand.wanted || !this.#serving) return;
    const written = this.#folding?.takeWritten() ?? null;
    const collections = this.#unknownWritten ? 'unknown' : written;
    if (!collections) return;
    this.#unknownWritten = false;
    reportWritten({ projection: this.projection.name, position: this.#reached, collections });
  }
}
