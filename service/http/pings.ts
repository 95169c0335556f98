import type { PingDependencies } from '../../commands/dependencies.ts';
import { createMinuteLimit } from '../../http/rate-limit.ts';
import type { Clock } from '../../network/clock.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Config } from '../config/config.ts';

/**
 * Creates the functions for heartbeat pings. Pings are appended to the results log in batches, and each heartbeat has a
 * rate limit.
 */
export const createPings = (
  config: Pick<Config, 'pingsPerMinute'>,
  results: EventStore,
  clock: Pick<Clock, 'after'>,
): PingDependencies => ({
  admit: createMinuteLimit(config.pingsPerMinute, 'This heartbeat is pinged too often.', () => performance.now()),
  store: createBatches({ log: results, after: clock.after }).store,
});
