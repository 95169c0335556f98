import { timeoutOf } from '../../schedule.ts';
import { number } from '../../rows.ts';
import type { Monitor } from './draft.ts';

/** The part of its interval for which a monitor waits if it has no time limit of its own. */
const PART_OF_INTERVAL = 0.8;
const DEFAULT_INTERVAL = 60;

/** Returns the interval of a monitor in seconds. */
export const secondsBetween = ({ row }: Pick<Monitor, 'row'>): number => {
  const interval = number(row, 'interval') ?? 0;
  return interval > 0 ? interval : DEFAULT_INTERVAL;
};

/** Returns the time limit of a check in seconds. A limit that the user has not set is lowered without a remark. */
export const timeLimitOf = (monitor: Monitor, longest = 30): number => {
  const own = number(monitor.row, 'timeout') ?? 0;
  return own > 0
    ? timeoutOf(monitor.name, own, monitor.remarks, longest)
    : Math.max(1, Math.min(longest, Math.round(secondsBetween(monitor) * PART_OF_INTERVAL)));
};
