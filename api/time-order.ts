import { Invalid } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';

/** @throws Invalid the end is before the start; the error names the query parameter of the end */
export const requireTimeOrder = (from: Instant, to: Instant, end: string): void => {
  if (from > to) throw new Invalid({ query: { [end]: ['Must not be before the start.'] } }, 'The query is invalid.');
};

/** @throws Invalid the end is before the start */
export const requireDateOrder = ({ start_date, end_date }: { start_date?: Instant; end_date?: Instant }): void => {
  if (start_date !== undefined && end_date !== undefined) requireTimeOrder(start_date, end_date, 'end_date');
};
