import type { AnyProjection } from '../../projections/engine/define.ts';
import { projectionKey } from '../../projections/engine/define.ts';
import { Folding } from '../../projections/engine/folding.ts';
import type { Statuses } from '../../projections/engine/statuses.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';

/** Folds a log into its projections as events come, until the signal aborts; the engine without its worries. */
export const followLog = async (
  store: EventStore,
  projections: readonly AnyProjection[],
  readStore: ReadStore,
  statuses: Statuses,
  signal: AbortSignal,
): Promise<void> => {
  const foldings: Folding[] = [];
  for (const projection of projections.filter(({ log }) => log === store.name)) {
    const generation = { projection: projectionKey(projection), number: 1 };
    await readStore.open(generation, projection.collections as never);
    const checkpoint = { log_id: store.name, position: 0n, event_id: null };
    foldings.push(
      new Folding({ projection, generation, readStore, checkpoint, retainedFrom: null, recentDocuments: 100 }),
    );
  }
  const publish = (): void => {
    statuses.receive(
      foldings.map(({ projection: { name, version, log }, position }) => ({
        name,
        version,
        log,
        generation: 1,
        position,
        lag: 0,
        state: 'live' as const,
        error: null,
      })),
    );
  };
  publish();
  for await (const events of store.subscribe({ after: 0n, signal })) {
    for (const folding of foldings) {
      await folding.fold(events);
      await folding.commit();
    }
    publish();
  }
};
