import { uptime } from 'node:os';
import { REGIONS } from '../../domain/check/regions.ts';
import { streamOf } from '../../domain/decider.ts';
import { DELIVERY_SHARDS } from '../../domain/delivery/events.ts';
import { GROUP_SHARDS } from '../../domain/execution-group/events.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { DamagedEvent, type EventStore } from '../../stores/event-store/port.ts';

/**
 * Returns the milliseconds since the machine was started, including time in which it was suspended. Unlike the clock,
 * this value can't be set.
 */
export const sinceBoot = (): number => uptime() * 1_000;

/** Returns streams of a log. The newest event in these streams is the newest event of the log, or nearly as new. */
const streamsOf = ({ name }: Pick<EventStore, 'name'>): string[] => [
  streamOf('log', name),
  ...(name === 'results'
    ? [
        ...REGIONS.map(({ aliases: [alias] }) => streamOf('check_results', alias)),
        ...GROUP_SHARDS.map((shard) => streamOf('execution_groups', shard)),
        ...DELIVERY_SHARDS.map((shard) => streamOf('deliveries', shard)),
      ]
    : []),
];

/**
 * Returns when the newest event of a log was recorded, in milliseconds since 1970. Returns null if there is no event.
 */
export const newestIn = async (log: Pick<EventStore, 'name' | 'readStream'>): Promise<number | null> => {
  const lasts = await Promise.all(
    streamsOf(log).map((stream) => log.readStream(stream, { direction: 'backwards', limit: 1 }).catch(noneOfDamaged)),
  );
  const newest = lasts.flat().reduce<(typeof lasts)[number][number] | null>((best, event) => {
    return !best || event.position > best.position ? event : best;
  }, null);
  return newest && millisecondsOf(newest.metadata.recorded_at);
};

/**
 * Ignores a damaged event. The other streams contain events of nearly the same time. Readers that need the damaged
 * event report the damage.
 */
const noneOfDamaged = (error: unknown): RecordedEvent[] => {
  if (error instanceof DamagedEvent) return [];
  throw error;
};

/**
 * The time according to a log: the time of its newest event when the process started, plus the time that has elapsed
 * since the start.
 */
export interface LogTime {
  /** returns milliseconds since 1970; null if the log was empty at the start */
  now: () => number | null;
  /** Replaces the time by one that the operator has confirmed, and continues from there. */
  trust: (now: number) => void;
}

export const logTimeOf = async (
  log: Pick<EventStore, 'name' | 'readStream'>,
  elapsed: () => number = sinceBoot,
): Promise<LogTime> => {
  let newest = await newestIn(log);
  let startedAt = elapsed();
  return {
    now: () => newest && newest + elapsed() - startedAt,
    trust: (now) => {
      newest = now;
      startedAt = elapsed();
    },
  };
};
