import type uPlot from 'uplot';
import { timeText } from '../../checks/figures.ts';
import type { Period } from './ranges.ts';
import type { Series } from './series.ts';
import { DAY_MS } from '../../../../domain/time.ts';

/** Height of a chart in pixels. */
export const HEIGHT = 220;
/** Lines with fewer points than this get markers, because an isolated point would be invisible. */
const FEW_POINTS = 40;
const AXIS_WIDTH = 64;
const AXIS_HEIGHT = 28;
const LABEL_WIDTH = 84;
const FONT = '12px system-ui, sans-serif';

/** Returns the current value of a colour in the stylesheet. The value depends on the theme. */
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Returns the stroke of line number `index`. The stylesheet defines the same styles for the legend. */
const strokeOf = ({ lines }: Series, index: number): Pick<uPlot.Series, 'stroke' | 'width' | 'dash'> => {
  const line = lines[index];
  if (line?.kind === 'p95') return { stroke: () => colour('--muted'), width: 1, dash: [4, 3] };
  return { stroke: () => colour(`--line-${(index % 6) + 1}`), width: 1.5 };
};

/** Shades the periods of outages behind the lines. */
const shade = (plot: uPlot, outages: readonly Period[]): void => {
  const { ctx, bbox } = plot;
  const pixel = devicePixelRatio;
  ctx.save();
  for (const { from, to } of outages) {
    const left = plot.valToPos(from / 1_000, 'x', true);
    const width = Math.max(plot.valToPos(to / 1_000, 'x', true) - left, 2 * pixel);
    ctx.fillStyle = colour('--major-tint');
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.fillStyle = colour('--major-fill');
    ctx.fillRect(left, bbox.top + bbox.height - 2 * pixel, width, 2 * pixel);
  }
  ctx.restore();
};

/** Returns the label format of a chart's time axis. */
export const axisFormat = ({ from, to }: Period, locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(
    locale,
    to - from <= DAY_MS ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' },
  );

export interface Plotted {
  series: Series;
  period: Period;
  outages: readonly Period[];
  locale: string;
}

/**
 * Returns the options of a chart.
 *
 * @param onPoint called with the index of the point under the pointer, or with null when the pointer leaves the chart
 */
export const optionsOf = (
  { series, period, outages, locale }: Plotted,
  width: number,
  onPoint: (index: number | null) => void,
): uPlot.Options => {
  const moments = axisFormat(period, locale);
  const axis = {
    stroke: () => colour('--muted'),
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
    font: FONT,
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: true, range: () => [period.from / 1_000, period.to / 1_000] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: AXIS_HEIGHT,
        space: LABEL_WIDTH,
        values: (_, moment) => moment.map((second) => moments.format(second * 1_000)),
      },
      { ...axis, size: AXIS_WIDTH, values: (_, times) => times.map((time) => timeText(time, locale)) },
    ],
    series: [
      {},
      ...series.lines.map((_, index) => ({
        ...strokeOf(series, index),
        points: { show: series.at.length < FEW_POINTS, size: 4 },
      })),
    ],
    hooks: {
      drawClear: [
        (plot) => {
          shade(plot, outages);
        },
      ],
      setCursor: [
        ({ cursor }) => {
          onPoint(cursor.idx ?? null);
        },
      ],
    },
  };
};

export const dataOf = ({ at, lines }: Series): uPlot.AlignedData => [
  [...at],
  ...lines.map(({ values }) => [...values]),
];
