import { numberFormat } from '../../parts/number-format.ts';

/** Returns an uptime with two decimals, or with three from 99.9 on. Never rounds up to 100 if there was a failure. */
export const percentText = (percentage: number | null, locale: string): string => {
  if (percentage === null) return '–';
  const digits = percentage >= 99.9 && percentage < 100 ? 3 : 2;
  const cut = Math.floor(percentage * 10 ** digits + 1e-6) / 10 ** digits;
  const format = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${format.format(cut)} %`;
};

/** Returns a response time in milliseconds, or in seconds from one second on. */
export const timeText = (milliseconds: number | null, locale: string): string => {
  if (milliseconds === null) return '–';
  const isLong = milliseconds >= 1_000;
  return numberFormat(locale, {
    style: 'unit',
    unit: isLong ? 'second' : 'millisecond',
    unitDisplay: 'short',
    maximumFractionDigits: isLong ? 2 : 0,
  }).format(isLong ? milliseconds / 1_000 : milliseconds);
};

export interface Day {
  day: string;
  uptime_percentage: number | null;
  average_response_time: number | null;
}

/**
 * A bar of a chart; null: no data. `height` is from 0 to 1. If `state` is set, the bar has the colour of that state.
 */
export type Bar = { height: number; state: 'operational' | 'degraded' | 'major' | null } | null;

/**
 * Returns one bar per day with the uptime. Most uptimes are close to 100 %, so the axis starts at 90 %, or at the
 * uptime of the worst day if this uptime is below 90 %.
 */
export const uptimeBars = (days: readonly Day[], target: number | null): Bar[] => {
  const known = days.flatMap(({ uptime_percentage }) => uptime_percentage ?? []);
  const lowest = Math.min(90, ...known);
  const limit = target ?? 99.9;
  return days.map(({ uptime_percentage: uptime }) => {
    if (uptime === null) return null;
    const height = 0.1 + (0.9 * (uptime - lowest)) / (100 - lowest || 1);
    return { height, state: uptime >= limit ? 'operational' : uptime >= limit - 5 ? 'degraded' : 'major' };
  });
};

/** Returns one bar per day with the mean response time. The axis starts at zero. */
export const timeBars = (days: readonly Day[]): Bar[] => {
  const most = Math.max(1, ...days.map(({ average_response_time }) => average_response_time ?? 0));
  return days.map(({ average_response_time: time }) =>
    time === null ? null : { height: Math.max(0.05, time / most), state: null },
  );
};
