import type { EventMetadata } from '../event.ts';
import type { Instant } from '../time.ts';
import type { CheckRunCompleted } from './events.ts';

/** The parts of a result's event that determine its time. */
export interface TimedResult {
  data: Pick<CheckRunCompleted, 'ran_at'>;
  metadata: Pick<EventMetadata, 'recorded_at'>;
}

/**
 * When a run took place: the `created_at` of its result, and the hour in which it is counted. The status of the check,
 * alert rules, retention and credits use `recorded_at` instead (docs/reference/results.md#delayed-results).
 */
export const resultTime = ({ data, metadata }: TimedResult): Instant => data.ran_at ?? metadata.recorded_at;
