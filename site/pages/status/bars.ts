import { instantOf, type Day } from '../../../domain/time.ts';
import { calendarOf } from '../../../domain/uptime/days.ts';
import type { Part } from '../../../domain/uptime/parts.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import type { PartedUptime } from '../../../queries/uptime/parts.ts';
import type { Bar, Bars } from '../../../views/status/bars.tsx';
import type { Frame } from '../../../views/status/frame.ts';
import { stateOfComponent } from '../../../views/status/state.tsx';
import type { BarRange } from './ranges.ts';

/** Bars of components over one range, in the words and times of one page. */
export const barsOver = (
  range: BarRange,
  frame: Frame,
  timeZone: string,
): ((id: string, uptime: PartedUptime) => Bars) => {
  const { words, times, language } = frame;
  const { componentStatus, colon } = wordsFor(language);
  const calendar = calendarOf(timeZone);
  const names: string[] = [];
  const days: Day[] = [];
  const nameOf = (index: number): string => {
    const start = instantOf(range.starts[index] ?? 0);
    return (names[index] ??= range.days ? times.day((days[index] = calendar.dayOf(start))) : times.moment(start));
  };
  const titleOf = (index: number, part: Part): string => {
    const lengths = [part.major, part.partial, part.degraded, part.leftOut].filter((length) => length > 0);
    const length = times.duration(lengths.reduce((sum, one) => sum + one, 0) / 1_000);
    return `${nameOf(index)}${colon}${componentStatus[part.worst]}, ${length}`;
  };
  return (id, { parts }) => {
    const known = parts.findIndex((part) => !isEmpty(part));
    const unknown = known === -1 ? parts.length : known;
    const bars = parts.flatMap((part, index): Bar[] => {
      if (index < unknown) return [];
      const state = isEmpty(part) ? 'none' : stateOfComponent(part.worst);
      if (state === 'operational') return [];
      const label = state === 'none' ? `${nameOf(index)}${colon}${words.components.noData}` : titleOf(index, part);
      const anchor = range.days && state !== 'none' ? `#d-${days[index] ?? ''}` : '';
      return [{ index, state, label, href: `${frame.root}components/${id}${anchor}` }];
    });
    const bad = bars.filter(({ state }) => state !== 'none' && state !== 'maintenance').length;
    return {
      count: parts.length,
      label: words.components.badDays(bad, parts.length),
      fine: componentStatus.operational,
      none: words.components.noData,
      unknown,
      bars,
    };
  };
};

/** Whether nothing is known of a part: the component did not exist, or the part has not begun. */
export const isEmpty = ({ total, leftOut }: Part): boolean => total === 0 && leftOut === 0;
