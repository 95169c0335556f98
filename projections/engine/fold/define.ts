import { eventTypes, type EventType, type RecordedEventOf } from '../../../domain/event-types.ts';
import type { EventDefinitions } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import type { CollectionDeclaration, Document, Query, ReadStore } from '../../../stores/read-store/port.ts';
import { foldReplacedEvents } from './replaced-events.ts';

/** The declaration of a collection. `document` has no value: it only carries the type of the documents. */
export interface Collection<D extends Document> extends CollectionDeclaration {
  readonly document?: D;
}

export const collection = <D extends Document>(declaration: CollectionDeclaration): Collection<D> => declaration;

// `any` is the only bound that admits every document type in a record of collections.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Collections = Record<string, Collection<any>>;

export type DocumentOf<C> = C extends Collection<infer D> ? D : never;

/** The part of a collection that a handler can access: the documents that its event touches or its search has found. */
export interface Model<D extends Document> {
  /** @throws Error if the id was declared neither by `documents` nor by `further`, nor found by `searches` */
  get: (id: string) => D | undefined;
  put: (document: D) => void;
  delete: (id: string) => void;
  /** Results of the event's declared search, in the order of the search. Empty if the event declares no search. */
  readonly found: readonly D[];
}

export type Models<C extends Collections> = { [K in keyof C]: Model<DocumentOf<C[K]>> };

/** Collections in which documents can be looked up, but not changed. */
export type Known<C extends Collections> = { [K in keyof C]: Pick<Model<DocumentOf<C[K]>>, 'get'> };

export type Touched<C extends Collections> = { [K in keyof C]?: readonly string[] };

// This is a method, so that projections of all document types are assignable to {@link AnyProjection}.
interface Retained<D> {
  of(document: D, from: Instant): D;
}

/**
 * Declares a read model. Its functions are pure and synchronous. They depend only on events and the projection's own
 * documents, and use no clock, randomness or I/O (docs/develop/projections.md).
 */
export interface Projection<C extends Collections = Collections, T extends EventType = EventType> {
  name: string;
  /** Increase it when a rebuild would produce different documents. A new version is built when the service starts. */
  version: number;
  log: 'main' | 'results';
  collections: C;
  /** Returns the ids of the documents that an event touches. Called only for the event types in `on`. */
  documents: (event: RecordedEventOf<T>) => Touched<C>;
  /**
   * Functions that return the ids of further documents that an event touches, by event type. Use them for ids that can
   * only be found in the documents named by `documents`. `models` contains those documents as they are before the
   * event. The functions are also called earlier, to preload documents. At that time, documents that preceding events
   * create might not exist yet.
   */
  further?: {
    [K in T]?: (event: RecordedEventOf<K>, models: Known<C>) => Touched<C>;
  };
  /**
   * Functions that return queries over the projection's own documents, by event type. `found` contains the results of
   * the queries on a collection, one after another. Changes by preceding events are committed before the search, so
   * that queries find them. `models` contains the touched documents.
   */
  searches?: {
    [K in T]?: (event: RecordedEventOf<K>, models: Models<C>) => { [N in keyof C]?: Query | readonly Query[] };
  };
  /**
   * Functions that reduce a document to the part that is based on events since an instant, by collection. Needed for
   * documents that sum up many events. `uptrail rebuild --verify` compares only this part, because a
   * rebuild does not see the events that the retention has removed.
   */
  retained?: { [N in keyof C]?: Retained<DocumentOf<C[N]>>['of'] };
  on: { [K in T]: (event: RecordedEventOf<K>, models: Models<C>) => void };
}

/** The functions of a read store that folding uses. */
export type FoldStore = Pick<ReadStore, 'get' | 'find' | 'commit' | 'sweep'>;

/** A projection with documents of any type. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyProjection = Projection<any, any>;

/**
 * Declares a projection. It also folds events of replaced types (domain/replaced-events.ts).
 *
 * @param catalogue all event types by category
 * @throws TypeError if the projection has to handle a replaced type itself
 */
export const defineProjection = <C extends Collections, T extends EventType>(
  definition: Projection<C, T>,
  catalogue: Readonly<Record<string, EventDefinitions>> = eventTypes,
): Projection<C, T> => foldReplacedEvents(definition, catalogue);

/** Returns the key of a projection in the catalogue and in generations: `name@version`. */
export const projectionKey = (projection: { name: string; version: number }): string =>
  `${projection.name}@${projection.version}`;
