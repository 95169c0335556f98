import type { AnyProjection, Model } from '../../projections/engine/fold/define.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Document } from '../../stores/read-store/port.ts';

type Handler = (event: RecordedEvent, models: Record<string, Model<Document>>) => void;

/** Wraps a projection so that its events and documents are frozen. A handler that mutates one of them throws. */
export const freezeProjection = (projection: AnyProjection): AnyProjection => ({
  ...projection,
  on: Object.fromEntries(
    Object.entries(projection.on as Record<string, Handler>).map(([type, handle]) => [type, frozen(handle)]),
  ),
});

const frozen =
  (handle: Handler): Handler =>
  (event, models) => {
    const guarded = Object.entries(models).map(([name, model]) => [name, guardedModel(model)]);
    handle(deepFreeze({ ...event }), Object.fromEntries(guarded) as Record<string, Model<Document>>);
  };

const guardedModel = (model: Model<Document>): Model<Document> => ({
  get: (id) => {
    const document = model.get(id);
    return document && deepFreeze(document);
  },
  put: (document) => {
    model.put(deepFreeze(document));
  },
  delete: (id) => {
    model.delete(id);
  },
  found: model.found.map((document) => deepFreeze(document)),
});

const deepFreeze = <T>(value: T): T => {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
};
