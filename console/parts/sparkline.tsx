import type { JSX } from 'preact';

const HOURS = 24;
const BAR = 4;
const GAP = 1;
const HEIGHT = 20;
/** Minimum height of a bar, in pixels. */
const LOWEST = 3;

const barAt = (index: number, height: number): string => {
  const x = index * (BAR + GAP);
  return `M${x} ${HEIGHT}h${BAR}v-${height}h-${BAR}z`;
};

export interface SparklineProps {
  /** mean response time of each hour in milliseconds; null: not measured */
  hours: readonly (number | null)[];
  /** indexes of the hours with a failure */
  failed: readonly number[];
}

/**
 * Shows the response times of 24 hours as bars. The bars of hours with failures have another colour and full height.
 */
export const Sparkline = ({ hours, failed }: SparklineProps): JSX.Element => {
  const most = Math.max(1, ...hours.map((time) => time ?? 0));
  const bad = new Set(failed);
  const good = hours
    .map((time, index) =>
      time === null || bad.has(index) ? '' : barAt(index, LOWEST + Math.round(((HEIGHT - LOWEST) * time) / most)),
    )
    .join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${HOURS * (BAR + GAP)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={good} />
      <path class="failed" d={failed.map((index) => barAt(index, HEIGHT)).join('')} />
    </svg>
  );
};
