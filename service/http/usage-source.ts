import type { QuotaUsage } from '../../commands/reservations/quotas.ts';
import { countedId, emptyUsage, usage } from '../../projections/usage/projection.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

const PAGE = 1_000;

export interface UsageSourceDependencies {
  readers: Pick<Readers, 'for'>;
  statuses: Pick<Statuses, 'of' | 'folds' | 'passed'>;
  /** the main log */
  main: Pick<EventStore, 'readAll'>;
  /** value of READ_YOUR_WRITES_TIMEOUT_MS */
  timeout: number;
}

/**
 * Creates the source of usage counts, from the read model of usage. Commands use it to decide whether a quota has room
 * (commands/reservations/quotas.ts).
 */
export const createUsageSource = ({ readers, statuses, main, timeout }: UsageSourceDependencies): QuotaUsage => {
  const read = readers.for({ appended: new Map() })(usage);
  return {
    counted: async (kind, organizationId, ids) => {
      const [used, created] = await Promise.all([
        read.usage.get(organizationId),
        ids.length === 0 ? [] : read.counted.getMany(ids.map((id) => countedId(kind, id))),
      ]);
      const {
        [kind]: count,
        [`${kind}_position` as const]: position,
        plan_changes,
      } = used ?? emptyUsage(organizationId);
      const positions = new Map(created.map((document) => [document.id, document.position]));
      return {
        count,
        position,
        planChanges: plan_changes,
        created: new Map(
          ids.flatMap((id) => {
            const at = positions.get(countedId(kind, id));
            return at === undefined ? [] : [[id, at]];
          }),
        ),
      };
    },

    caughtUp: async () => {
      for (let after = statuses.of(usage.name).position; ;) {
        const events = await main.readAll({ after, limit: PAGE });
        const lastFolded = events.findLast(({ type }) => statuses.folds(usage.name, type));
        try {
          if (lastFolded) await statuses.passed(usage.name, lastFolded.position, timeout);
        } catch (error) {
          // Nothing was stored, so a late read model is reported as unavailable and not as a late write.
          throw error instanceof ReadModelLate ? new ReadModelUnavailable(usage.name) : error;
        }
        const last = events.at(-1);
        if (!last || events.length < PAGE) return;
        after = last.position;
      }
    },
  };
};
