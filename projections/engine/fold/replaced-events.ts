import type { EventDefinitions, RecordedEvent } from '../../../domain/event.ts';
import { foldedTypesOf, recordedPartsOf } from '../../../domain/replaced-events.ts';

/** The parts of a projection that name event types. */
interface Folds {
  name: string;
  documents: (event: never) => Readonly<Record<string, readonly string[] | undefined>>;
  further?: object;
  searches?: object;
  on: object;
}

type Documents = (event: RecordedEvent) => Readonly<Record<string, readonly string[] | undefined>>;
type Handlers = Readonly<Record<string, ((event: RecordedEvent, models: unknown) => void) | undefined>>;

/**
 * Lets a projection fold events of replaced types (domain/replaced-events.ts). The handler of a replaced type calls the
 * handlers of the event types that took its place, one after the other. The engine sees a single event, so the changes
 * by these handlers are always committed together. A projection that handles the replaced type itself gets the event as
 * it was stored.
 *
 * @returns the same projection if no replaced type concerns it, so that folds of other events cost nothing
 * @throws TypeError if one of these handlers declares further documents or a search; both would depend on the changes
 * by the handlers before it
 */
export const foldReplacedEvents = <P extends Folds>(
  projection: P,
  catalogue: Readonly<Record<string, EventDefinitions>>,
): P => {
  const { name, on, further = {}, searches = {} } = projection;
  const handlers = on as Handlers;
  const documents = projection.documents as Documents;
  /** the definitions of the category, by replaced type */
  const replaced = new Map<string, EventDefinitions>();
  for (const definitions of Object.values(catalogue)) {
    for (const type of Object.keys(definitions)) {
      if (!definitions[type]?.replacedBy || type in handlers) continue;
      const handled = foldedTypesOf(type, definitions).filter((part) => part in handlers);
      const unable = handled.find((part) => part in further || part in searches);
      if (unable !== undefined) throw new TypeError(`${name} searches for ${unable}, so it has to handle ${type}.`);
      if (handled.length > 0) replaced.set(type, definitions);
    }
  }
  if (replaced.size === 0) return projection;

  const partsOf = (event: RecordedEvent): readonly RecordedEvent[] =>
    recordedPartsOf(event, replaced.get(event.type) ?? {}).filter(({ type }) => type in handlers);
  const handle = (event: RecordedEvent, models: unknown): void => {
    for (const part of partsOf(event)) handlers[part.type]?.(part, models);
  };
  const touched: Documents = (event) => {
    if (!replaced.has(event.type)) return documents(event);
    const all: Record<string, readonly string[]> = {};
    for (const named of partsOf(event).map(documents)) {
      for (const [collection, ids = []] of Object.entries(named)) {
        all[collection] = [...new Set([...(all[collection] ?? []), ...ids])];
      }
    }
    return all;
  };
  const added = Object.fromEntries([...replaced.keys()].map((type) => [type, handle]));
  return { ...projection, documents: touched, on: { ...handlers, ...added } };
};
