import type { JSX } from 'preact';
import type { Instant } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import type { Frame } from './frame.ts';
import { statusOfState, type State } from './state.tsx';
import { machineTime } from './times.ts';

/** A bar whose state is not operational. */
export interface Bar {
  /** index of the bar; 0 is the oldest */
  index: number;
  state: Exclude<State, 'operational'>;
  /** duration of the state, for example `23 min`; empty: unknown */
  length: string;
}

/** The states of a component or page over equal parts of time, oldest first. */
export interface Bars {
  /** text alternative for the bars */
  label: string;
  /** number of bars at the beginning that have no data */
  unknown: number;
  /** bars whose state is not operational; all bars that are not listed are operational */
  bars: readonly Bar[];
}

/** The scale that all strips of a page share. */
export interface BarScale {
  /** number of bars per strip */
  count: number;
  /** start of the oldest bar, and end of the newest */
  from: Instant;
  until: Instant;
  /** whether each bar is a day in the page's time zone */
  days: boolean;
}

/**
 * Distance from the start of a bar to the start of the next one, in units of the SVG. `WIDTH`: width of a bar;
 * `HEIGHT`: height of a bar. A bar that is not operational has a mark below it.
 */
const STEP = 5;
const WIDTH = 3;
const HEIGHT = 28;
const widthOf = (count: number): number => count * STEP - (STEP - WIDTH);

const BAD = ['maintenance', 'degraded', 'partial', 'major', 'none'] as const;
const MARKS: Readonly<Partial<Record<State, string>>> = {
  maintenance: 'M0 32h3v1h-3z',
  degraded: 'M1 31.5h1v1h-1z',
  partial: 'M1.5 30.5l1.5 3h-3z',
  major: 'M0 30.5h3v3h-3z',
};

/**
 * SVG shapes that all strips of a page refer to: a row of operational bars, a row of bars without data, and for each
 * other state a bar with its mark (a dot, a triangle or a square). A strip only refers to these shapes. The script
 * (site/browser/_strips.ts) reads the times and the states of bars from the attributes.
 */
export const BarShapes = ({ scale, frame }: { scale: BarScale; frame: Frame }): JSX.Element => {
  const { language, words } = frame;
  const { componentStatus } = wordsFor(language);
  const { count, from, until, days } = scale;
  const states = (['operational', ...BAD] as const).map((state) => {
    const status = statusOfState(state);
    return [`data-${state}`, status === null ? words.components.noData : componentStatus[status]];
  });
  const row = {
    d: `M0 ${HEIGHT / 2}H${widthOf(count)}`,
    'stroke-width': HEIGHT,
    'stroke-dasharray': `${WIDTH} ${STEP - WIDTH}`,
  };
  return (
    <svg
      class="shapes"
      width="0"
      height="0"
      aria-hidden="true"
      data-step={STEP}
      data-count={count}
      data-from={machineTime(from)}
      data-until={machineTime(until)}
      data-days={days ? '' : undefined}
      {...Object.fromEntries(states)}
    >
      <path id="row" class="line-operational" {...row} />
      <g id="unknown">
        <rect class="under" width={widthOf(count)} height={HEIGHT} />
        <path class="line-none" {...row} />
      </g>
      {BAD.map((state) => (
        <g id={`b-${state}`} key={state}>
          <rect class="under" width={WIDTH} height={HEIGHT} />
          <rect class={`fill-${state}`} width={WIDTH} height={HEIGHT} />
          {MARKS[state] && <path class={`fill-${state}`} d={MARKS[state]} />}
        </g>
      ))}
    </svg>
  );
};

/**
 * A strip of bars, as a picture with a text alternative. The script (site/browser/_strips.ts) makes the strip
 * focusable, and lets the arrow keys move from bar to bar. Visitors without scripts find the same data as a table on
 * the component's own page. A page may have fifty strips, so the parts that all strips share are in {@link BarShapes}.
 *
 * @param name name of the component
 * @param href address of the component's own page; absent: the row around the strip links to it
 */
export const Strip = ({
  name,
  scale: { count },
  label,
  unknown,
  bars,
  href,
}: Bars & { name: string; scale: Pick<BarScale, 'count'>; href?: string }): JSX.Element => (
  <div
    class="strip"
    data-lengths={bars.length > 0 ? bars.map(({ length }) => length).join('|') : undefined}
    data-href={href}
    role="img"
    aria-label={`${name} – ${label}`}
  >
    <svg viewBox={`0 0 ${widthOf(count)} 34`} preserveAspectRatio="none">
      <use href="#row" />
      {unknown > 0 && (
        <svg width={unknown * STEP}>
          <use href="#unknown" />
        </svg>
      )}
      {bars.map(({ index, state }) => (
        <use key={index} href={`#b-${state}`} x={index * STEP} />
      ))}
    </svg>
  </div>
);
