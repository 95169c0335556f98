import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import type { Collections, DocumentOf, Model, Models, Projection } from './fold/define.ts';

/** The documents of a collection in a {@link DirectFold}. */
class DirectModel<D extends { id: string }> implements Model<D> {
  readonly found: readonly D[] = [];
  readonly documents = new Map<string, D>();

  get(id: string): D | undefined {
    return this.documents.get(id);
  }

  put(document: D): void {
    this.documents.set(document.id, document);
  }

  delete(id: string): void {
    this.documents.delete(id);
  }
}

type DirectModels<C extends Collections> = { readonly [K in keyof C]: DirectModel<DocumentOf<C[K]>> };

/**
 * Folds events one by one and synchronously by the handlers of a projection, without a store. Intended for very many
 * events that concern few documents; the projection must not declare searches. Invalid documents are not set aside:
 * errors of handlers are thrown.
 */
export class DirectFold<C extends Collections, T extends EventType> {
  readonly models: DirectModels<C>;
  readonly #on: Projection<C, T>['on'];

  constructor({ collections, on }: Projection<C, T>) {
    this.#on = on;
    const names = Object.keys(collections);
    this.models = Object.fromEntries(names.map((name) => [name, new DirectModel()])) as unknown as DirectModels<C>;
  }

  /** Folds an event. @returns whether the projection handles events of its type */
  apply(event: RecordedEventOf<EventType>): boolean {
    const handle = (this.#on as Partial<Record<EventType, (event: never, models: Models<C>) => void>>)[event.type];
    handle?.(event as never, this.models);
    return handle !== undefined;
  }
}
