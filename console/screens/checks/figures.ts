import type { State } from '../../../views/status/state.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import type { Row } from './filter.ts';

const STATES: Readonly<Record<Row['status'], State>> = {
  down: 'major',
  pending: 'none',
  up: 'operational',
  paused: 'none',
};

/** Returns the state in whose style a status is shown. */
export const stateOf = (status: Row['status']): State => STATES[status];

/** Returns a response time as text: `142 ms`, `2.1 s`, or a dash if nothing was measured. */
export const timeText = (ms: number | null, locale: string): string => {
  if (ms === null) return '–';
  const [value, unit] = ms < 1_000 ? [ms, 'millisecond'] : [ms / 1_000, 'second'];
  return numberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: ms < 10_000 ? 1 : 0,
  }).format(value);
};

/**
 * Returns an uptime with two decimals, or with three from 99.9 on. Never rounds up to 100. Returns a dash if there are
 * no results.
 */
export const uptimeText = (percentage: number | null, locale: string): string => {
  if (percentage === null) return '–';
  const digits = percentage === 100 ? 0 : percentage < 99.9 ? 2 : 3;
  const cut = Math.floor(percentage * 10 ** digits + 1e-6) / 10 ** digits;
  return `${numberFormat(locale, { minimumFractionDigits: digits }).format(cut)} %`;
};
