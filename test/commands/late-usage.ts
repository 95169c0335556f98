import type { QuotaUsage } from '../../commands/reservations/quotas.ts';
import { foldInMemory } from '../../projections/engine/in-memory.ts';
import { projectionReader } from '../../projections/engine/projection-reader.ts';
import { usage } from '../../projections/usage/projection.ts';
import { createUsageSource } from '../../service/http/usage-source.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';

/**
 * Creates the read model of usage for a process. It lags behind the log, and catches up only when a command waits for
 * it, or when `moves` returns true before a document is read.
 */
export const laggingUsageOf = (log: EventStore, moves: () => boolean = () => false): QuotaUsage => {
  let position = 0n;
  const folded = async () => {
    const events = await log.readAll({ after: 0n, limit: 1_000 });
    if (moves()) position = events.at(-1)?.position ?? position;
    const readStore = createMemoryReadStore();
    const known = events.filter((event) => event.position <= position);
    const generation = await foldInMemory(usage, [known], readStore);
    return projectionReader(usage, readStore, (question) => question(generation));
  };
  const reader = {
    usage: { get: async (id: string) => (await folded()).usage.get(id) },
    counted: { getMany: async (ids: readonly string[]) => (await folded()).counted.getMany(ids) },
  };
  return createUsageSource({
    main: log,
    timeout: 0,
    readers: { for: () => () => reader as never },
    statuses: {
      of: () => ({ position }) as never,
      folds: (_name, type) => type in usage.on,
      passed: (_name, wanted) => {
        if (wanted > position) position = wanted;
        return Promise.resolve({ position } as never);
      },
    },
  });
};
