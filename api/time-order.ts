import { Invalid } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';

/**
 * @param name the query parameter that contained `to`
 * @throws Invalid if `to` is before `from`
 */
export const requireTimeOrder = (from: Instant, to: Instant, name: string): void => {
  if (from > to) throw new Invalid({ query: { [name]: ['Must not be before the start.'] } }, 'The query is invalid.');
};

/** @throws Invalid if `end_date` is before `start_date` */
export const requireDateOrder = ({ start_date, end_date }: { start_date?: Instant; end_date?: Instant }): void => {
  if (start_date !== undefined && end_date !== undefined) requireTimeOrder(start_date, end_date, 'end_date');
};
