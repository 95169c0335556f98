import { severityOf, type ComponentStatus } from '../../../domain/page/component-status.ts';
import { instantOf } from '../../../domain/time.ts';
import type { TimelinePart } from '../../../domain/uptime/parts.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import type { UptimeByParts } from '../../../queries/uptime/uptime-by-parts.ts';
import type { Bar, Bars, BarScale } from '../../../views/status/bars.tsx';
import type { Frame } from '../../../views/status/frame.ts';
import { stateOfComponent } from '../../../views/status/state.tsx';
import type { BarRange } from './ranges.ts';

/** Returns a function that computes the bars of a component over a range, in the language and time zone of a page. */
export const barsOver = (range: BarRange, frame: Frame): ((uptime: UptimeByParts) => Bars) => {
  const { words, times, language } = frame;
  const { componentStatus, colon } = wordsFor(language);
  const lengthOf = (part: TimelinePart): string => {
    const lengths = [part.major, part.partial, part.degraded, part.leftOut].filter((length) => length > 0);
    return times.duration(lengths.reduce((sum, one) => sum + one, 0) / 1_000);
  };
  /**
   * Returns the text alternative for bars that do not represent days. It contains the period and the worst status, but
   * not the number of bad bars.
   */
  const worstOver = (parts: readonly TimelinePart[]): string => {
    const worst = parts.reduce<ComponentStatus>(
      (status, part) => (severityOf(part.worst) > severityOf(status) ? part.worst : status),
      'operational',
    );
    return `${times.span(instantOf(range.starts[0] ?? 0), instantOf(range.end))}${colon}${componentStatus[worst]}`;
  };
  return ({ parts }) => {
    const known = parts.findIndex((part) => !isEmpty(part));
    const unknown = known === -1 ? parts.length : known;
    const bars = parts.flatMap((part, index): Bar[] => {
      if (index < unknown) return [];
      const state = isEmpty(part) ? 'none' : stateOfComponent(part.worst);
      if (state === 'operational') return [];
      return [{ index, state, length: state === 'none' ? '' : lengthOf(part) }];
    });
    const bad = bars.filter(({ state }) => state !== 'none' && state !== 'maintenance').length;
    return {
      label: range.days ? words.components.badDays(bad, parts.length) : worstOver(parts),
      unknown,
      bars,
    };
  };
};

/** Returns the data that all strips of a page share. */
export const barScale = ({ starts, end, days }: BarRange): BarScale => ({
  count: starts.length,
  from: instantOf(starts[0] ?? end),
  until: instantOf(end),
  days,
});

/** Returns whether nothing is known about a part: the component did not exist, or the part is in the future. */
export const isEmpty = ({ total, leftOut }: TimelinePart): boolean => total === 0 && leftOut === 0;
