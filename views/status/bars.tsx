import type { JSX } from 'preact';
import type { State } from './state.tsx';

/** One of the bars on which something happened. */
export interface Bar {
  /** from 0, the oldest */
  index: number;
  state: Exclude<State, 'operational'>;
  /** `Friday, November 20: Partial outage, 23 min` */
  label: string;
  /** where more about it is found */
  href: string;
}

/** How something was over equal parts of time, the oldest first. */
export interface Bars {
  /** how many parts there are */
  count: number;
  /** summary for those who don't see the bars */
  label: string;
  /** the words for the others, and for those that are not known */
  fine: string;
  none: string;
  /** so many at the beginning are not known: the component did not exist yet */
  unknown: number;
  /** those on which something happened; all others were operational */
  bars: readonly Bar[];
}

/** Units of a bar and of its distance to the next; bars are 28 high, with a mark below those of bad days. */
const STEP = 5;
const WIDTH = 3;
const HEIGHT = 28;
const widthOf = (count: number): number => count * STEP - (STEP - WIDTH);

/**
 * What strips share, once on each page: rows of bars of which all are operational, or nothing is known, and a bar of each
 * other state with its mark (a dot, a triangle, a square), so that a strip only draws the parts on which something happened.
 */
export const BarShapes = ({ count }: { count: number }): JSX.Element => (
  <svg class="shapes" width="0" height="0" aria-hidden="true" focusable="false">
    {[
      ['row', 'operational'],
      ['row-none', 'none'],
    ].map(([id, state]) => (
      <symbol key={id} id={id} viewBox={`0 0 ${widthOf(count)} 34`} preserveAspectRatio="none">
        <path
          class={`fill-${state}`}
          d={Array.from({ length: count }, (_, index) => `M${index * STEP} 0h${WIDTH}v${HEIGHT}h-${WIDTH}z`).join('')}
        />
      </symbol>
    ))}
    {(['maintenance', 'degraded', 'partial', 'major', 'none'] as const).map((state) => (
      <g id={`b-${state}`} key={state}>
        <rect class="under" width={WIDTH} height={HEIGHT} />
        <rect class={`fill-${state}`} width={WIDTH} height={HEIGHT} />
        {MARKS[state] && <path class={`fill-${state}`} d={MARKS[state]} />}
      </g>
    ))}
  </svg>
);

const MARKS: Readonly<Partial<Record<State, string>>> = {
  maintenance: 'M0 32h3v1h-3z',
  degraded: 'M1 31.5h1v1h-1z',
  partial: 'M1.5 30.5l1.5 3h-3z',
  major: 'M0 30.5h3v3h-3z',
};

/**
 * A strip of bars. Keyboards reach each bar through the strip as one stop, with the arrow keys (site/browser/_strips.ts);
 * without a script the component's own page has the same as a table.
 */
export const Strip = ({ count, label, fine, none, unknown, bars, from }: Bars & { from: string }): JSX.Element => (
  <div class="strip" data-strip={count} data-from={from} data-fine={fine} data-none={none} data-unknown={unknown}>
    <svg viewBox={`0 0 ${widthOf(count)} 34`} preserveAspectRatio="none" role="img" aria-label={label}>
      <use href="#row" width={widthOf(count)} height="34" />
      {unknown > 0 && (
        <svg class="unknown" width={unknown * STEP} height="34">
          <rect class="under" width={unknown * STEP} height={HEIGHT} />
          <use href="#row-none" width={widthOf(count)} height="34" />
        </svg>
      )}
      {bars.map(({ index, state, label: title, href }) => (
        <a key={index} href={href} tabindex={-1} data-bar={index}>
          <title>{title}</title>
          <use href={`#b-${state}`} x={index * STEP} />
        </a>
      ))}
    </svg>
  </div>
);
