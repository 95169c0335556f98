import { Invalid } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';

/** @throws Invalid naming the query parameter of the end, if it lies before the start */
export const inOrderOfTime = (from: Instant, to: Instant, end: string): void => {
  if (from > to) throw new Invalid({ query: { [end]: ['Must not be before the start.'] } }, 'The query is invalid.');
};

/** @throws Invalid both dates are given and the end lies before the start */
export const datesInOrder = ({ start_date, end_date }: { start_date?: Instant; end_date?: Instant }): void => {
  if (start_date !== undefined && end_date !== undefined) inOrderOfTime(start_date, end_date, 'end_date');
};
