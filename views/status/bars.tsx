import type { JSX } from 'preact';
import type { Instant } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import type { Frame } from './frame.ts';
import { statusOfState, type State } from './state.tsx';
import { machineTime } from './times.ts';

/** One of the bars on which something happened. */
export interface Bar {
  /** from 0, the oldest */
  index: number;
  state: Exclude<State, 'operational'>;
  /** for how long: `23 min`; empty: nothing is known */
  length: string;
}

/** How something was over equal parts of time, the oldest first. */
export interface Bars {
  /** summary for those who don't see the bars */
  label: string;
  /** how many of the first are of a time of which nothing is known */
  unknown: number;
  /** others on which something happened; all that are not listed were operational */
  bars: readonly Bar[];
}

/** What all strips of a page have in common. */
export interface BarScale {
  /** how many bars a strip has */
  count: number;
  /** the first moment of the oldest, and the last of the newest */
  from: Instant;
  until: Instant;
  /** whether each bar is a day of the page's zone */
  days: boolean;
}

/** Units of a bar and of its distance to the next; bars are 28 high, with a mark below those of bad days. */
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
 * What strips share, once on each page: a row of bars of which all are operational, one of which nothing is known, and a bar
 * of each other state with its mark (a dot, a triangle, a square), so that a strip only draws the parts on which something
 * happened. The attributes are for the script, which names bars: when they are, and how it was.
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
 * A strip of bars: a picture with a summary. The script (site/browser/_strips.ts) makes it one stop of the Tab key with
 * arrow keys from bar to bar; without it the component's own page has the same as a table. A page may have fifty strips, so
 * what can be said once is in {@link BarShapes}.
 *
 * @param name of the component
 * @param href where the component's own page is; absent: the row around the strip has a link to it
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
