import { eventTypes, type EventType, type RecordedEventOf } from '../../../domain/event-types.ts';
import type { EventDefinitions } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import type { CollectionDeclaration, Document, Query, ReadStore } from '../../../stores/read-store/port.ts';
import { foldReplacedEvents } from './replaced-events.ts';

/** A collection and, only in the type, the document it contains. */
export interface Collection<D extends Document> extends CollectionDeclaration {
  readonly document?: D;
}

export const collection = <D extends Document>(declaration: CollectionDeclaration): Collection<D> => declaration;

// `any` is the only bound that admits every document type in a record of collections.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Collections = Record<string, Collection<any>>;

export type DocumentOf<C> = C extends Collection<infer D> ? D : never;

/** A collection as seen by a handler: the documents that its event touches, and those found by its search. */
export interface Model<D extends Document> {
  /** @throws Error the id was declared neither by `documents` nor by `further`, nor found by `searches` */
  get: (id: string) => D | undefined;
  put: (document: D) => void;
  delete: (id: string) => void;
  /** what the declared search of this event found, in its order; empty without one */
  readonly found: readonly D[];
}

export type Models<C extends Collections> = { [K in keyof C]: Model<DocumentOf<C[K]>> };

/** Collections, only for looking up documents. */
export type Known<C extends Collections> = { [K in keyof C]: Pick<Model<DocumentOf<C[K]>>, 'get'> };

export type Touched<C extends Collections> = { [K in keyof C]?: readonly string[] };

// A method, so that a projection of any documents is assignable to {@link AnyProjection}.
interface Retained<D> {
  of(document: D, from: Instant): D;
}

/**
 * A read model: pure, synchronous functions of events and of its own documents. No clock, no randomness, no I/O
 * (docs/develop/projections.md).
 */
export interface Projection<C extends Collections = Collections, T extends EventType = EventType> {
  name: string;
  /** raised when a rebuild would produce different documents; the new version is built at start-up */
  version: number;
  log: 'main' | 'results';
  collections: C;
  /** ids of the documents that an event touches; called only for the types in `on` */
  documents: (event: RecordedEventOf<T>) => Touched<C>;
  /**
   * Ids of further documents that an event touches, by event type: those that follow only from the documents named by
   * `documents`. `models` contains these as they are just before the event. It is also called earlier, to find out what
   * to load; a document that an earlier event creates may not exist yet then.
   */
  further?: {
    [K in T]?: (event: RecordedEventOf<K>, models: Known<C>) => Touched<C>;
  };
  /**
   * Queries over the projection's own documents, by event type; results of several queries on one collection follow one
   * another in `found`. Earlier changes are committed first, so they are found; `models` contains the touched
   * documents.
   */
  searches?: {
    [K in T]?: (event: RecordedEventOf<K>, models: Models<C>) => { [N in keyof C]?: Query | readonly Query[] };
  };
  /**
   * The part of a document that remains if only events since an instant are folded, for collections whose documents
   * contain more than one time. `uptrail rebuild --verify` compares that part, because a rebuild does not see what the
   * retention has removed.
   */
  retained?: { [N in keyof C]?: Retained<DocumentOf<C[N]>>['of'] };
  on: { [K in T]: (event: RecordedEventOf<K>, models: Models<C>) => void };
}

/** What folding a generation needs of its store. */
export type FoldStore = Pick<ReadStore, 'get' | 'find' | 'commit' | 'sweep'>;

/** Any projection, whatever its documents. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyProjection = Projection<any, any>;

/**
 * Declares a projection. It also folds events of replaced types (domain/replaced-events.ts).
 *
 * @param catalogue all event types by category
 * @throws TypeError the projection has to handle a replaced type itself
 */
export const defineProjection = <C extends Collections, T extends EventType>(
  definition: Projection<C, T>,
  catalogue: Readonly<Record<string, EventDefinitions>> = eventTypes,
): Projection<C, T> => foldReplacedEvents(definition, catalogue);

/** name@version, as in the catalogue and in generations */
export const projectionKey = (projection: { name: string; version: number }): string =>
  `${projection.name}@${projection.version}`;
