import type { IssuedToken } from '../../api/runner-source.ts';
import type { LiveRunners } from '../../domain/check/regions.ts';
import type { RunnerEvent } from '../../domain/runner/events.ts';
import { readUntilEnd } from '../../projections/engine/feed/log-end.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import { runners } from '../../projections/runners/projection.ts';
import { listRunners } from '../../queries/runners.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/**
 * Creates a function that lists the remote runners of an organization. The function waits until the read model has
 * reached the end of the log.
 *
 * @throws ReadModelUnavailable
 */
export const registeredRunners = ({
  foldedAll,
  asFolded: read,
}: Pick<Readers, 'foldedAll' | 'asFolded'>): NonNullable<LiveRunners['registered']> => {
  const caughtUp = async (): Promise<void> => {
    try {
      await foldedAll(runners);
    } catch (error) {
      // Nothing was stored, so a late read model is reported as unavailable and not as a late write.
      throw error instanceof ReadModelLate ? new ReadModelUnavailable(runners.name) : error;
    }
  };
  return async (organizationId) => {
    await caughtUp();
    const all = await listRunners({ read, organizationId });
    return all.flatMap(({ id, region, revoked_at }) => (revoked_at === null ? [{ id, region }] : []));
  };
};

/** Returns the runner tokens that were issued after a position of the log `main`, by their hash. */
export const tokensIssuedAfter = async (main: EventStore, position: bigint): Promise<Map<string, IssuedToken>> => {
  const issued = new Map<string, IssuedToken>();
  for await (const events of readUntilEnd(main, position, ['runner'])) {
    for (const { type, data, metadata } of events) {
      if (type !== 'RunnerCreated' && type !== 'RunnerTokenRotated') continue;
      const { runner_id: runnerId, token_hash } = data as Extract<RunnerEvent, { type: 'RunnerTokenRotated' }>['data'];
      issued.set(token_hash, { runnerId, organizationId: metadata.organization_id ?? '' });
    }
  }
  return issued;
};
