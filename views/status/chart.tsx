import type { JSX } from 'preact';
import type { Frame } from './frame.ts';

/** Response times of a check by hour, oldest first, in milliseconds. Null means that nothing was measured. */
export interface ResponseTimesView {
  points: readonly { average: number | null; p95: number | null }[];
  /** average over the whole period; null: nothing was measured */
  average: number | null;
  p95: number | null;
}

const WIDTH = 600;
const HEIGHT = 100;

/** Returns a line through the points, with gaps where nothing was measured. */
const lineOf = (values: readonly (number | null)[], most: number): string => {
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const x = values.length < 2 ? 0 : (index / (values.length - 1)) * WIDTH;
      const y = HEIGHT - (value / most) * (HEIGHT - 4) - 2;
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
};

/** A chart of the averages and the 95th percentiles by hour. It is drawn on the server, so it works without scripts. */
export const ResponseChart = ({ frame, points, average, p95 }: ResponseTimesView & { frame: Frame }): JSX.Element => {
  const { words, times } = frame;
  const { responseTime, average: averageWord, noData } = words.components;
  const most = Math.max(1, ...points.flatMap((point) => [point.average ?? 0, point.p95 ?? 0]));
  const label =
    average === null || p95 === null
      ? noData
      : `${times.milliseconds(average)} ${averageWord} · p95 ${times.milliseconds(p95)}`;
  return (
    <figure class="chart">
      <figcaption>
        <span>{responseTime}</span>
        <span>{label}</span>
      </figcaption>
      {average !== null && (
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${responseTime}: ${label}`}
        >
          <path
            class="p95"
            d={lineOf(
              points.map((point) => point.p95),
              most,
            )}
          />
          <path
            class="average"
            d={lineOf(
              points.map((point) => point.average),
              most,
            )}
          />
        </svg>
      )}
    </figure>
  );
};
