import { createPositionTokens, type PositionTokens } from '../../api/v1/events/position-tokens.ts';
import { streamOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { createPastReads, type PastReads } from '../../projections/past/past-reads.ts';
import { readWholeStream } from '../../projections/past/whole-streams.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { openKeys, openLog, siteOf } from '../../service/stores.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { createSharedMemoryReadStore } from '../../stores/read-store/memory.ts';

/** What statements are made and verified from. */
export interface StatementSources {
  /** the log `main`, whose events are upcast to the current versions */
  main: EventStore;
  past: PastReads;
  tokens: PositionTokens;
}

/** Opens the sources in the configured deployment, with or without a running service. @throws OperatorError */
export const withStatementSources = async <T>(
  config: Config,
  signal: AbortSignal,
  task: (sources: StatementSources) => Promise<T>,
): Promise<T> => {
  const site = siteOf(config);
  const main = await openLog(site, 'main', 'reader');
  try {
    const keys = await openKeys(site, config);
    try {
      return await task(sourcesOf(main, keys));
    } finally {
      await keys.close();
    }
  } catch (error) {
    if (signal.aborted) throw new OperatorError('Interrupted.', { cause: error });
    throw error;
  } finally {
    await main.close();
  }
};

export const sourcesOf = (main: EventStore, keys: Pick<Keys, 'fingerprint'>): StatementSources => ({
  main,
  past: createPastReads({
    main,
    openStore: createSharedMemoryReadStore,
    clock: Date.now,
  }),
  tokens: createPositionTokens((kind, text) => keys.fingerprint(kind, text)),
});

/** Returns the organization of a page; null if the log has no such page. */
export const organizationOfPage = async (main: EventStore, pageId: string): Promise<string | null> => {
  const [first] = await main.readStream(streamOf('page', pageId), { from: 0n, limit: 1 });
  return first?.metadata.organization_id ?? null;
};

/** Returns the events of an organization, which contain the names of its API keys. */
export const organizationEvents = (main: EventStore, organizationId: string): Promise<RecordedEvent[]> =>
  readWholeStream(main, streamOf('organization', organizationId));
