import type { JSX } from 'preact';
import { pastTime } from '../../../parts/times/shown-time.ts';
import { durationOf } from '../../../parts/times/since.tsx';
import { language, words } from '../../../shell/language.ts';
import { axisFormat } from './plot.ts';
import type { Period } from './ranges.ts';
import { outagesIn, secondsOf, type StatePeriod } from './state-periods.ts';

const WIDTH = 1_000;
const HEIGHT = 24;
/** Minimum width of an outage, in pixels. */
const LEAST = 3;

/** A bar of the up and down periods, with a sentence that describes the outages. */
export const Timeline = ({ stretches, period }: { stretches: readonly StatePeriod[]; period: Period }): JSX.Element => {
  const { check: says } = words.value;
  const locale = language.value;
  const outages = outagesIn(stretches);
  const sentence =
    outages.length === 0 ? says.noOutage : says.outages(outages.length, durationOf(secondsOf(outages), locale));
  const x = (moment: number): number => (WIDTH * (moment - period.from)) / (period.to - period.from);
  const bar = ({ from, to }: StatePeriod, least = 0): string => {
    const width = Math.max(x(to) - x(from), least);
    const left = Math.min(x(from), WIDTH - width);
    return `M${left.toFixed(2)} 0h${width.toFixed(2)}v${HEIGHT}h-${width.toFixed(2)}z`;
  };
  const of = (state: StatePeriod['state'], least?: number): string =>
    stretches
      .filter((one) => one.state === state)
      .map((one) => bar(one, least))
      .join('');
  const moments = axisFormat(period, locale);
  return (
    <figure class="state-strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="none" d={of('none')} />
        <path class="up" d={of('up')} />
        <path class="down" d={of('down', LEAST)} />
      </svg>
      <figcaption>
        <span aria-hidden="true">{moments.format(period.from)}</span>
        <span>{sentence}</span>
        <span aria-hidden="true">{pastTime.value === null ? says.now : moments.format(period.to)}</span>
      </figcaption>
    </figure>
  );
};
