import type { Document, Query, Where } from '../stores/read-store/port.ts';
import type { Collections, DocumentOf, Projection } from './engine/fold/define.ts';

export interface CollectionReader<D extends Document> {
  /** @throws DocumentSetAside */
  get: (id: string) => Promise<D | null>;
  /** Reads documents in the order of the ids. Omits missing and set-aside documents. */
  getMany: (ids: readonly string[]) => Promise<D[]>;
  find: (query: Query) => Promise<D[]>;
  /** Like `find`, but returns only these fields. This is faster if an index contains them (see Query). */
  pick: <F extends keyof D & string>(fields: readonly F[], query: Query) => Promise<Pick<D, F>[]>;
  count: (where?: Where) => Promise<number>;
}

export type ProjectionReader<C extends Collections> = { [K in keyof C]: CollectionReader<DocumentOf<C[K]>> };

/**
 * Reads the documents of a projection. If the context has appended events that the projection handles, the first read
 * waits until the projection has folded them.
 *
 * @throws ReadModelLate
 * @throws ReadModelUnavailable if the read model is being built, or has not caught up in time
 * (engine/status/catch-up.ts)
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Read = <C extends Collections>(projection: Projection<C, any>) => ProjectionReader<C>;

/**
 * Thrown if a write has succeeded, but the read model did not contain the write in time. The route responds with 202.
 */
export class ReadModelLate extends Error {
  constructor(projection: string) {
    super(`The read model ${projection} is late. The change is stored and will appear soon.`);
    this.name = 'ReadModelLate';
  }
}

/**
 * Thrown if a document cannot be shown, because it is set aside (docs/develop/projections.md#documents-set-aside). The
 * route responds with 500.
 */
export class DocumentSetAside extends Error {
  constructor(projection: string, id: string) {
    super(`The document ${id} of the read model ${projection} is set aside.`);
    this.name = 'DocumentSetAside';
  }
}

/** Thrown if the first build of a projection has not finished. The route responds with 503. */
export class ReadModelUnavailable extends Error {
  constructor(projection: string, message = `The read model ${projection} is being built and cannot be read yet.`) {
    super(message);
    this.name = 'ReadModelUnavailable';
  }
}

/**
 * Thrown if a projection lacks earlier events, for example from before the service was started. The route responds with
 * 503.
 */
export class ReadModelBehind extends ReadModelUnavailable {
  constructor(projection: string) {
    super(projection, `The read model ${projection} is catching up with its log and cannot be read yet.`);
    this.name = 'ReadModelBehind';
  }
}
