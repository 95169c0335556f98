import type { EventMetadata } from '../event.ts';
import type { Instant } from '../time.ts';
import type { CheckRunCompleted } from './events.ts';

/** The event that holds a result, as far as its time is concerned. */
export interface TimedResult {
  data: Pick<CheckRunCompleted, 'ran_at'>;
  metadata: Pick<EventMetadata, 'recorded_at'>;
}

/**
 * When a run took place: the `created_at` of its result, and the hour that counts it. What decides on a check (status,
 * alert rules), retention and credits go by `recorded_at` instead (docs/decisions.md: Checks).
 */
export const resultTime = ({ data, metadata }: TimedResult): Instant => data.ran_at ?? metadata.recorded_at;
