import type { Document, Query, Where } from '../stores/read-store/port.ts';
import type { Collections, DocumentOf, Projection } from './engine/fold/define.ts';

export interface CollectionReader<D extends Document> {
  /** @throws DocumentSetAside */
  get: (id: string) => Promise<D | null>;
  /** in the order of the ids; leaves out missing and set-aside ones, as lists do */
  getMany: (ids: readonly string[]) => Promise<D[]>;
  find: (query: Query) => Promise<D[]>;
  /** Only these fields of what `find` returns, which an index may contain (see Query). */
  pick: <F extends keyof D & string>(fields: readonly F[], query: Query) => Promise<Pick<D, F>[]>;
  count: (where?: Where) => Promise<number>;
}

export type ProjectionReader<C extends Collections> = { [K in keyof C]: CollectionReader<DocumentOf<C[K]>> };

/**
 * Reads the documents of a projection. If the context has appended events that the projection folds, the first read
 * waits until it has passed them.
 *
 * @throws ReadModelLate
 * @throws ReadModelUnavailable if it is being built, or has not caught up in time (engine/status/catch-up.ts)
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Read = <C extends Collections>(projection: Projection<C, any>) => ProjectionReader<C>;

/** The write has succeeded, but the read model has not followed in time; the route returns 202. */
export class ReadModelLate extends Error {
  constructor(projection: string) {
    super(`The read model ${projection} is late. The change is stored and will appear soon.`);
    this.name = 'ReadModelLate';
  }
}

/**
 * The document cannot be shown: it was set aside (docs/develop/projections.md#documents-set-aside). The route returns
 * 500.
 */
export class DocumentSetAside extends Error {
  constructor(projection: string, id: string) {
    super(`The document ${id} of the read model ${projection} is set aside.`);
    this.name = 'DocumentSetAside';
  }
}

/** The first build of the projection has not finished; the route returns 503. */
export class ReadModelUnavailable extends Error {
  constructor(projection: string, message = `The read model ${projection} is being built and cannot be read yet.`) {
    super(message);
    this.name = 'ReadModelUnavailable';
  }
}

/**
 * The projection lacks events that were stored before, for example before the service was started; the route returns
 * 503.
 */
export class ReadModelBehind extends ReadModelUnavailable {
  constructor(projection: string) {
    super(projection, `The read model ${projection} is catching up with its log and cannot be read yet.`);
    this.name = 'ReadModelBehind';
  }
}
