import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { regionText } from '../../../parts/region-text.ts';
import { language, words } from '../../../shell/language.ts';
import { theme } from '../../../shell/theme.ts';
import { timeText } from '../../checks/figures.ts';
import { dataOf, optionsOf, type Plotted } from './plot.ts';
import type { Line } from './series.ts';

export interface ChartProps extends Omit<Plotted, 'locale'> {
  /** description of the chart in one sentence */
  label: string;
  /** whether each line combines several regions */
  isOfSeveral: boolean;
}

/** Calls `draw` when the theme changes. @returns a function that stops calling `draw` */
const onTheme = (draw: () => void): (() => void) => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', draw);
  const ended = theme.subscribe(draw);
  return () => {
    dark.removeEventListener('change', draw);
    ended();
  };
};

/** A chart of response times; a table next to it contains the same data. */
export const Chart = ({ series, period, outages, label, isOfSeveral }: ChartProps): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  const point = useSignal<number | null>(null);
  const locale = language.value;
  useEffect(() => {
    let plot: uPlot | null = null;
    let hasLeft = false;
    let ended: (() => void) | null = null;
    const width = (): number => Math.max(1, Math.floor(box.current?.clientWidth ?? 1));
    const resized = new ResizeObserver(() => {
      const { height } = plot ?? {};
      if (height !== undefined && plot?.width !== width()) plot?.setSize({ width: width(), height });
    });
    const draw = async (): Promise<void> => {
      const { default: Plot } = await import('uplot');
      if (hasLeft || !box.current) return;
      const options = optionsOf({ series, period, outages, locale }, width(), (index) => {
        point.value = index;
      });
      plot = new Plot(options, dataOf(series), box.current);
      resized.observe(box.current);
      ended = onTheme(() => {
        plot?.redraw(false);
      });
    };
    // Ignore a failure to load the chart's code: the table shows the same data.
    draw().catch(() => undefined);
    return () => {
      hasLeft = true;
      resized.disconnect();
      ended?.();
      plot?.destroy();
    };
  }, [series, period, outages, locale]);

  const at = point.value === null ? null : (series.at[point.value] ?? null);
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <figure class="chart">
      <div class="plot" ref={box} role="img" aria-label={label} />
      <figcaption>
        {at !== null && <time dateTime={new Date(at * 1_000).toISOString()}>{moments.format(at * 1_000)}</time>}
        {series.lines.map((line, index) => (
          <span key={`${line.kind} ${line.region ?? ''}`} class={`legend ${classOf(line, index)}`}>
            <svg width="20" height="8" viewBox="0 0 20 8" aria-hidden="true">
              <path d="M0 4h20" />
            </svg>
            <bdi>{nameOf(line, isOfSeveral)}</bdi>
            {point.value !== null && <strong>{timeText(line.values[point.value] ?? null, locale)}</strong>}
          </span>
        ))}
        {outages.length > 0 && <span class="legend outage">{words.value.check.downtime}</span>}
      </figcaption>
    </figure>
  );
};

const classOf = ({ kind }: Line, index: number): string => (kind === 'p95' ? 'p95' : `line-${(index % 6) + 1}`);

const nameOf = ({ kind, region }: Line, isOfSeveral: boolean): string => {
  const { check: says } = words.value;
  if (kind === 'p95') return isOfSeveral ? says.p95Slowest : says.p95;
  return region === null ? says.average : regionText(region);
};
