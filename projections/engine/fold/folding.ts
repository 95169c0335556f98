import type { EventDefinitions, RecordedEvent } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Checkpoint, Document, Generation } from '../../../stores/read-store/port.ts';
import type { AnyProjection, Collections, FoldStore, Touched } from './define.ts';
import type { SetAsideChange } from './set-aside-tracker.ts';
import { PoisonousEvent } from './poison.ts';
import { folds } from '../status/lag.ts';
import { WriteRecord, type WrittenCollections } from '../status/write-reports.ts';
import { eventHandlingOf, type EventHandling } from '../feed/event-handling.ts';
import { UnitOfWork } from './unit-of-work.ts';

export interface FoldingOptions {
  projection: AnyProjection;
  generation: Generation;
  readStore: FoldStore;
  /** checkpoint of the generation */
  checkpoint: Checkpoint;
  /** Events recorded before this time are skipped. Null if no events are skipped. */
  retainedFrom: Instant | null;
  /** Maximum number of documents of each collection that stay in memory between batches. */
  recentDocuments: number;
  /**
   * Whether documents are set aside if an event cannot be folded into them, or the store refuses them. If false, these
   * cases are errors. Documents that are already set aside stay set aside.
   */
  setsAside?: boolean;
  /** Returns whether to record what commits write, for `takeWritten`. Default: false. */
  recordsWritten?: () => boolean;
  /** the event types of this release, by category; default: those of the domain */
  catalogue?: Readonly<Record<string, EventDefinitions>> | undefined;
}

interface Step {
  index: number;
  event: RecordedEvent;
  reaction: EventHandling;
  /** The documents that `documents` returns. */
  named: Touched<Collections>;
  /** The documents that `documents` and `further` return. */
  touched: Touched<Collections>;
}

/**
 * Events that are applied together: either one event that searches, or all events before the next event that searches.
 */
interface Stretch {
  steps: Step[];
  /** Index of the first event after the stretch. */
  end: number;
  /** Error of the event at `end`, if that event cannot be folded. */
  poison: PoisonousEvent | null;
}

/** Folds events into one generation of one projection, and stores its documents and checkpoint. */
export class Folding {
  readonly projection: AnyProjection;
  readonly generation: Generation;
  readonly #reactions: ReadonlyMap<string, EventHandling>;
  readonly #readStore: FoldStore;
  readonly #retainedFrom: Instant | null;
  readonly #unit: UnitOfWork;
  readonly #setsAside: boolean;
  readonly #recordsWritten: () => boolean;
  readonly #written = new WriteRecord();
  #checkpoint: Checkpoint;
  #stored: bigint;
  #uncommitted = 0;
  #concerned = false;
  #commits = 0;
  /** The most recently folded event. */
  #last: RecordedEvent | null = null;

  constructor(options: FoldingOptions) {
    const { projection, generation, readStore, checkpoint, retainedFrom, recentDocuments, setsAside = false } = options;
    this.#recordsWritten = options.recordsWritten ?? never;
    this.projection = projection;
    this.generation = generation;
    this.#reactions = eventHandlingOf(projection, options.catalogue);
    this.#readStore = readStore;
    this.#retainedFrom = retainedFrom;
    this.#unit = new UnitOfWork(readStore, generation, projection, recentDocuments);
    this.#setsAside = setsAside;
    this.#checkpoint = checkpoint;
    this.#stored = checkpoint.position;
  }

  /** Reads the set-aside documents. If this is not called, the first call of `fold` reads them. */
  async open(): Promise<void> {
    await this.#unit.aside.open();
  }

  /** Number of set-aside documents. */
  get setAside(): number {
    return this.#unit.aside.size;
  }

  /** Returns the documents that commits have set aside or released since the previous call. */
  takeSetAsideChanges(): SetAsideChange[] {
    return this.#unit.aside.takeChanges();
  }

  /** Returns what commits and sweeps have written since the previous call, or null if nothing was recorded. */
  takeWritten(): WrittenCollections | null {
    return this.#written.take();
  }

  /** Position of the most recently applied event. It is ahead of the stored position until `commit`. */
  get position(): bigint {
    return this.#checkpoint.position;
  }

  /** Whether there are changed documents that are not committed. */
  get dirty(): boolean {
    return this.#unit.dirty;
  }

  /** Whether the stored checkpoint is behind `position`. */
  get isAheadOfStore(): boolean {
    return this.#stored !== this.#checkpoint.position;
  }

  /** Whether a handled event was applied after the most recent commit, even if it has changed no document. */
  get hasHandledEvents(): boolean {
    return this.#concerned;
  }

  /** Number of commits. While the number stays the same, no document was written. */
  get commits(): number {
    return this.#commits;
  }

  /** Number of events that were applied after the most recent commit. */
  get uncommitted(): number {
    return this.#uncommitted;
  }

  /**
   * Applies events in order, skipping those already applied.
   *
   * @throws PoisonousEvent if this release does not know an event, or an event cannot be folded and no documents can be
   * set aside; all events before it are then applied, and the event itself has changed nothing
   */
  async fold(events: readonly RecordedEvent[]): Promise<void> {
    await this.open();
    let next = 0;
    while ((events[next]?.position ?? this.position + 1n) <= this.position) next++;
    this.#uncommitted += events.length - next;
    this.#concerned ||= events.slice(next).some(({ type }) => folds(this.projection, type));
    while (next < events.length) next = await this.#apply(events, this.#plan(events, next));
  }

  /**
   * Skips events synchronously if the projection does not handle any of them.
   *
   * @param events events after the position, in order
   * @returns false if the events must be folded; in this case nothing was done
   */
  passOver(events: readonly RecordedEvent[]): boolean {
    if (this.dirty || !events.every((event) => this.#isNothingTo(event))) return false;
    this.#uncommitted += events.length;
    this.#advance(events.at(-1));
    return true;
  }

  /** Tests whether this release knows an event and the projection does not handle it. */
  #isNothingTo({ type, metadata }: RecordedEvent): boolean {
    const reaction = this.#reactions.get(type);
    return reaction?.handle === null && metadata.schema_version <= reaction.version;
  }

  /** Stores documents and checkpoint together. */
  async commit(): Promise<void> {
    const writes = await this.#unit.commit(this.#checkpoint, this.#last, this.#setsAside);
    this.#commits++;
    if (this.#recordsWritten()) this.#written.add(writes);
    this.#stored = this.#checkpoint.position;
    this.#uncommitted = 0;
    this.#concerned = false;
  }

  /** Removes up to `limit` expired documents of a collection. */
  async sweep(collection: string, before: Instant, limit: number): Promise<number> {
    const removed = await this.#readStore.sweep(this.generation, collection, before, limit);
    if (removed > 0 && this.#recordsWritten()) this.#written.addMany(collection);
    const aside = this.setAside;
    this.#unit.aside.expire(collection, before);
    if (removed > 0 || this.setAside < aside) this.#unit.forget();
    return removed;
  }

  #plan(events: readonly RecordedEvent[], from: number): Stretch {
    const steps: Step[] = [];
    let index = from;
    for (; index < events.length; index++) {
      const event = events[index];
      if (!event || (this.#retainedFrom !== null && event.metadata.recorded_at < this.#retainedFrom)) continue;
      try {
        const reaction = this.#reactionTo(event);
        if (!reaction.handle) continue;
        if (reaction.search && steps.length > 0) break;
        const named = this.#namedBy(event);
        if (!named) continue;
        steps.push({ index, event, reaction, named, touched: named });
        if (reaction.search) return { steps, end: index + 1, poison: null };
      } catch (error) {
        return { steps, end: index, poison: new PoisonousEvent(this.projection.name, event, error) };
      }
    }
    return { steps, end: index, poison: null };
  }

  /** Returns the documents that `documents` names, or null if `documents` has thrown and the event was set aside. */
  #namedBy(event: RecordedEvent): Touched<Collections> | null {
    try {
      return this.projection.documents(event) as Touched<Collections>;
    } catch (error) {
      if (!this.#mayPassOver(NOTHING)) throw error;
      this.#passOver(NOTHING, event, error);
      return null;
    }
  }

  /**
   * Tests whether folding can continue after an event that cannot be folded. It cannot continue if so many documents
   * are set aside that the projection itself must be wrong.
   */
  #mayPassOver(named: Touched<Collections>): boolean {
    if (this.#setsAside) return this.setAside < MOST_SET_ASIDE;
    const { aside } = this.#unit;
    return this.#unit.existing(named).some(({ collection, id }) => aside.of(collection, id)?.cause === 'not_folded');
  }

  /** Sets aside the documents that an event touches, or the event itself if it names no documents. */
  #passOver(named: Touched<Collections>, event: RecordedEvent, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const documents = this.#unit.existing(named);
    if (documents.length === 0) this.#unit.setAside('', event.id, { reason, event });
    for (const { collection, id } of documents) this.#unit.setAside(collection, id, { reason, event });
  }

  #reactionTo(event: RecordedEvent): EventHandling {
    const reaction = this.#reactions.get(event.type);
    if (!reaction) throw new Error('This release does not know this event type.');
    const { schema_version } = event.metadata;
    if (schema_version > reaction.version) {
      throw new Error(`This release knows it up to version ${reaction.version}, not version ${schema_version}.`);
    }
    return reaction;
  }

  /** Applies the events of a stretch. @returns index of the first event after the stretch */
  async #apply(events: readonly RecordedEvent[], { steps, end, poison }: Stretch): Promise<number> {
    const [first] = steps;
    if (first?.reaction.search) {
      try {
        await this.#applySearching(events, first);
      } catch (error) {
        this.#passOverOrThrow(first, error);
      }
    } else if (first) {
      await this.#unit.load(steps.map((step) => step.touched));
      if (this.projection.further) await this.#unit.load(steps.map((step) => this.#foreseen(step)));
      for (const step of steps) {
        try {
          if (step.reaction.further) await this.#loadFurther(events, step);
          this.#handle(events, step, NOTHING);
        } catch (error) {
          this.#passOverOrThrow(step, error);
        }
      }
    }
    this.#advance(events[end - 1]);
    if (poison) throw poison;
    return end;
  }

  /**
   * Skips an event that cannot be folded, if folding can continue without it.
   *
   * @throws PoisonousEvent if folding cannot continue; every error that is not a PoisonousEvent
   */
  #passOverOrThrow({ named, event }: Step, error: unknown): void {
    if (!(error instanceof PoisonousEvent) || !this.#mayPassOver(named)) throw error;
    this.#passOver(named, event, error.cause);
  }

  /** Applies an event that searches. Commits earlier changes before that, if the search could find them. */
  async #applySearching(events: readonly RecordedEvent[], step: Step): Promise<void> {
    await this.#unit.load([step.touched]);
    await this.#loadFurther(events, step);
    this.#unit.declare(step.touched, NOTHING);
    const queriesByName = this.#attempt(
      events,
      step,
      () => step.reaction.search?.(step.event, this.#unit.models) ?? {},
    );
    const searches = Object.entries(queriesByName).map(([name, queries]) => [name, [queries ?? []].flat()] as const);
    const found: Record<string, Document[]> = {};
    if (searches.some(([, queries]) => queries.length > 0) && this.dirty) {
      this.#advance(events[step.index - 1]);
      await this.commit();
      await this.#unit.load([step.touched]);
    }
    for (const [name, queries] of searches) {
      const results = await Promise.all(queries.map((query) => this.#readStore.find(this.generation, name, query)));
      found[name] = results.flat();
    }
    this.#handle(events, step, found);
  }

  /** Predicts which further documents an event will touch, from the state of the documents before the stretch. */
  #foreseen({ event, reaction, touched }: Step): Touched<Collections> {
    if (!reaction.further) return NOTHING;
    this.#unit.declare(touched, NOTHING);
    try {
      return reaction.further(event, this.#unit.models);
    } catch {
      // The function is called again when the event is applied. Only that call must succeed.
      return NOTHING;
    }
  }

  /** Finds out which further documents a step touches when it is applied, and loads these documents. */
  async #loadFurther(events: readonly RecordedEvent[], step: Step): Promise<void> {
    const { event, reaction, touched } = step;
    if (!reaction.further) return;
    this.#unit.declare(touched, NOTHING);
    const further = this.#attempt(events, step, () => reaction.further?.(event, this.#unit.models) ?? NOTHING);
    const all = { ...touched };
    for (const [name, ids] of Object.entries(further)) all[name] = [...(all[name] ?? []), ...(ids ?? [])];
    step.touched = all;
    if (this.#unit.lacks(further)) await this.#unit.load([further]);
  }

  #handle(events: readonly RecordedEvent[], step: Step, found: Record<string, Document[]>): void {
    this.#unit.declare(step.touched, found);
    this.#attempt(events, step, () => step.reaction.handle?.(step.event, this.#unit.models));
  }

  /** Runs a function of the projection. If the function throws, undoes all its changes. */
  #attempt<T>(events: readonly RecordedEvent[], step: Step, action: () => T): T {
    try {
      const result = action();
      this.#unit.accept();
      return result;
    } catch (error) {
      this.#unit.undo();
      this.#advance(events[step.index - 1]);
      throw new PoisonousEvent(this.projection.name, step.event, error);
    }
  }

  #advance(event: RecordedEvent | undefined): void {
    if (!event || event.position <= this.position) return;
    this.#last = event;
    this.#checkpoint = { log_id: this.#checkpoint.log_id, position: event.position, event_id: event.id };
  }
}

/** Maximum number of set-aside documents. If there are more, the projection is wrong, not the documents. */
const MOST_SET_ASIDE = 10_000;

const NOTHING: Readonly<Record<string, never>> = {};

const never = (): boolean => false;
