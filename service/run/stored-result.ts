import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { RecordedEvent } from '../../domain/event.ts';

/**
 * Returns whether an event of the results log is the result of a run. It does not matter which process has stored the
 * event.
 */
export const isStoredResult = (event: RecordedEvent): event is RecordedEventOf<'CheckRunCompleted'> =>
  event.type === 'CheckRunCompleted';
