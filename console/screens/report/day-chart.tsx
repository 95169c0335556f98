import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import type { Bar, Day } from './figures.ts';

export interface DayChartProps {
  title: string;
  days: readonly Day[];
  /** one bar for each day */
  bars: readonly Bar[];
  textOf: (day: Day) => string;
}

const STEP = 10;
const GAP = 2;
const HEIGHT = 100;

/** A bar chart with one bar per day, and the same data in a collapsible table. */
export const DayChart = ({ title, days, bars, textOf }: DayChartProps): JSX.Element => {
  const id = useId();
  const says = words.value.reports;
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <section class="day-chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${first} – ${last}`}
      >
        {bars.map((bar, place) => {
          const day = days[place];
          const height = bar === null ? 4 : Math.round(bar.height * HEIGHT);
          return (
            <rect
              key={place}
              class={bar?.state === null ? 'no-time' : `state-${bar?.state ?? 'none'}`}
              x={place * STEP + GAP / 2}
              y={HEIGHT - height}
              width={STEP - GAP}
              height={height}
            >
              {day && <title>{`${day.day}: ${bar === null ? says.noData : textOf(day)}`}</title>}
            </rect>
          );
        })}
      </svg>
      <p class="ends fine">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>{says.figuresByDay}</summary>
        <table class="data days">
          <thead>
            <tr>
              <th scope="col">{says.day}</th>
              <th scope="col" class="number">
                {title}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row">{day.day}</th>
                <td class="number" data-label={title}>
                  {textOf(day)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
};
