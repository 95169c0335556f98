import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { RecordedEvent } from '../../domain/event.ts';

/** Whether an event of the results log is the result of a run, regardless of the process that stored it. */
export const isStoredResult = (event: RecordedEvent): event is RecordedEventOf<'CheckRunCompleted'> =>
  event.type === 'CheckRunCompleted';
