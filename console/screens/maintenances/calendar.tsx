import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { Link } from '../../parts/link.tsx';
import { language, words } from '../../shell/language.ts';
import type { IncidentLine } from '../overview/sources.ts';
import { dateOf, dayOf, daysAfter, isOn, monthOf, monthsAfter, weeksOf, type Day, type Month } from './month.ts';

export interface CalendarProps {
  month: Month;
  maintenances: readonly IncidentLine[];
  /** shows another month */
  onMonth: (month: Month) => void;
  onDay: (day: Day) => void;
}

/** The day that each navigation key selects, by key name. The keys are the same as in date pickers. */
const MOVES: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => daysAfter(day, -1),
  ArrowRight: (day) => daysAfter(day, 1),
  ArrowUp: (day) => daysAfter(day, -7),
  ArrowDown: (day) => daysAfter(day, 7),
  PageUp: (day) => monthsAfter(day, -1),
  PageDown: (day) => monthsAfter(day, 1),
  Home: (day) => daysAfter(day, -((dateOf(day).getDay() + 6) % 7)),
  End: (day) => daysAfter(day, 6 - ((dateOf(day).getDay() + 6) % 7)),
};

/**
 * The maintenances of a month by day, in the browser's time zone. Arrow keys move between days. Enter opens the
 * selected day.
 */
export const Calendar = ({ month, maintenances, onMonth, onDay }: CalendarProps): JSX.Element => {
  const table = useRef<HTMLTableElement>(null);
  const today = dayOf(new Date());
  const cursor = useSignal<Day>(monthOf(today) === month ? today : `${month}-01`);
  const wantsFocus = useRef(false);
  const current = monthOf(cursor.value) === month ? cursor.value : `${month}-01`;
  // A layout effect moves the focus before the next key press is handled. A normal effect runs after painting, which
  // might be too late.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus();
  }, [current, month]);
  const weeks = weeksOf(month);
  const weekday = new Intl.DateTimeFormat(language.value, { weekday: 'short' });
  const full = new Intl.DateTimeFormat(language.value, { dateStyle: 'full' });
  const time = new Intl.DateTimeFormat(language.value, { timeStyle: 'short' });
  const { maintenances: says } = words.value;
  return (
    <table
      ref={table}
      class="calendar"
      aria-label={says.calendar}
      onKeyDown={(event) => {
        const move = MOVES[event.key];
        if (!move || !(event.target instanceof HTMLElement) || event.target.dataset['day'] === undefined) return;
        event.preventDefault();
        const next = move(event.target.dataset['day']);
        wantsFocus.current = true;
        cursor.value = next;
        if (monthOf(next) !== month) onMonth(monthOf(next));
      }}
    >
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {weekday.format(dateOf(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((days) => (
          <tr key={days[0]}>
            {days.map((day) => {
              const on = maintenances.filter((one) => isOn(one, day));
              return (
                <td key={day} data-other={monthOf(day) !== month} data-today={day === today}>
                  <button
                    type="button"
                    class="day"
                    data-day={day}
                    tabIndex={day === current ? 0 : -1}
                    aria-label={`${full.format(dateOf(day))}: ${says.count(on.length)}`}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => {
                      cursor.value = day;
                      onDay(day);
                    }}
                  >
                    {dateOf(day).getDate()}
                  </button>
                  <ul>
                    {on.slice(0, MOST_SHOWN).map(({ id, page_id, name, status, scheduled_for }) => (
                      <li key={id}>
                        <Link to={`/pages/${page_id}/incidents/${id}`} class={`entry ${status}`}>
                          {scheduled_for !== null && dayOf(new Date(`${scheduled_for}Z`)) === day && (
                            <span>{time.format(new Date(`${scheduled_for}Z`))} </span>
                          )}
                          <bdi>{name}</bdi>
                        </Link>
                      </li>
                    ))}
                  </ul>
                  {on.length > MOST_SHOWN && <span class="fine">+{on.length - MOST_SHOWN}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Maximum number of maintenances shown per day. A day that the user opens lists all of them. */
const MOST_SHOWN = 3;
