import type { EventMetadata } from '../event.ts';
import type { Instant } from '../time.ts';
import type { CheckRunCompleted } from './events.ts';

/** The parts of a `CheckRunCompleted` event that determine the time of the result. */
export interface TimedResult {
  data: Pick<CheckRunCompleted, 'ran_at'>;
  metadata: Pick<EventMetadata, 'recorded_at'>;
}

/**
 * Returns when a run took place. This is the `created_at` of the result, and determines the hour in which statistics
 * count it. The status of the check, alert rules, retention and credits use `recorded_at` instead
 * (docs/reference/results.md#delayed-results).
 */
export const resultTime = ({ data, metadata }: TimedResult): Instant => data.ran_at ?? metadata.recorded_at;
