import type { JSX } from 'preact';
import { INCIDENT_IMPACTS } from '../../domain/incident/statuses.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Day } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { isolated } from '../../messages/characters.ts';
import { MomentForm } from './as-of-bar.tsx';
import { addressIn, atSameMoment, type Frame, type FramePast } from './frame.ts';
import { StatusDocument } from './status-document.tsx';
import { IncidentLine } from './incidents.tsx';
import type { PastDay } from './past-incidents.tsx';
import { stateOfComponent, StateIcon } from './state.tsx';

export interface HistoryPageProps {
  frame: Frame;
  /** the month that is shown: `2026-11` */
  month: string;
  /**
   * all days of the month, with the worst status of all components; `status` is null if there is no data or the day is
   * in the future
   */
  days: readonly { day: Day; status: ComponentStatus | null }[];
  /** weekday of the first day of the month: 0 is Monday */
  firstWeekday: number;
  /** the days with incidents, newest first */
  listed: readonly PastDay[];
  uptimes: readonly { id: string; name: string; uptime: string }[];
  components: readonly { id: string; name: string }[];
  filter: { component: string; impact: string; search: string };
  /** addresses of the previous month (`older`) and of the next month (`newer`); null: there is no such month */
  older: string | null;
  newer: string | null;
}

/** Any Monday. The names of the weekdays are formatted from this day and the six days after it. */
const MONDAY = Date.parse('2026-11-23T00:00:00Z');

/** The page with the incidents of a month, or with the results of a search. */
export const HistoryPage = (props: HistoryPageProps): JSX.Element => {
  const { frame, month, listed, uptimes, filter, older, newer } = props;
  const { words, times } = frame;
  const labels = words.historyPage;
  const isSearch = filter.search !== '';
  const isFiltered = isSearch || filter.component !== '' || filter.impact !== '';
  return (
    <StatusDocument frame={frame} title={words.history}>
      <div class="history stack" data-live="history">
        <p>
          <a href={addressIn(frame, '')}>{words.backTo(isolated(frame.name))}</a>
        </p>
        <h1>{words.history}</h1>
        <Filters {...props} />
        {frame.past && !frame.past.shown && <PastStates frame={{ ...frame, here: '' }} past={frame.past} />}
        {!isSearch && (
          <>
            <nav class="month-nav" aria-label={labels.month}>
              {older === null ? <span /> : <a href={atSameMoment(frame, older)}>‹ {labels.older}</a>}
              <h2>{times.month(month)}</h2>
              {newer === null ? <span /> : <a href={atSameMoment(frame, newer)}>{labels.newer} ›</a>}
            </nav>
            <Calendar {...props} />
            {uptimes.length > 0 && (
              <ul class="affected uptimes">
                {uptimes.map(({ id, name, uptime }) => (
                  <li key={id}>
                    <a href={addressIn(frame, `components/${id}`)}>
                      <bdi>{name}</bdi>
                    </a>{' '}
                    <span class="muted">{uptime}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
        {isSearch && listed.length > 0 && (
          <h2>{labels.found(listed.reduce((count, { incidents }) => count + incidents.length, 0))}</h2>
        )}
        {listed.length === 0 && (
          <p class="muted">{isFiltered ? labels.none : labels.noneInMonth(times.month(month))}</p>
        )}
        {listed.map(({ day, incidents }) => (
          <section key={day} class="day" id={`d-${day}`}>
            <h3 class="day-name">{times.day(day)}</h3>
            {incidents.map((incident) => (
              <IncidentLine key={incident.id} incident={incident} frame={frame} />
            ))}
          </section>
        ))}
      </div>
    </StatusDocument>
  );
};

const Filters = ({ frame, month, components, filter }: HistoryPageProps): JSX.Element => {
  const { root, words, language } = frame;
  const labels = words.historyPage;
  return (
    <form class="filters" method="get" action={`${root}history`}>
      <input type="hidden" name="month" value={month} />
      {frame.past?.shown && <input type="hidden" name="at" value={frame.past.shown.at} />}
      <label>
        {labels.component}
        <select name="component">
          <option value="">{labels.all}</option>
          {components.map(({ id, name }) => (
            <option key={id} value={id} selected={id === filter.component} dir="auto">
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {labels.impact}
        <select name="impact">
          <option value="">{labels.all}</option>
          {INCIDENT_IMPACTS.map((impact) => (
            <option key={impact} value={impact} selected={impact === filter.impact}>
              {wordsFor(language).impact[impact]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {labels.search}
        <input type="search" name="q" value={filter.search} maxlength={100} />
      </label>
      <button class="button">{labels.show}</button>
    </form>
  );
};

/** A calendar of the month. Days with incidents link to the incidents. */
const Calendar = ({ frame, days, firstWeekday, listed }: HistoryPageProps): JSX.Element => {
  const { language, words } = frame;
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const withIncidents = new Set(listed.map(({ day }) => day));
  const cells = [...Array.from({ length: firstWeekday }, () => null), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, index) =>
    cells.slice(index * 7, index * 7 + 7),
  );
  return (
    <table class="calendar">
      <thead>
        <tr>
          {Array.from({ length: 7 }, (_, index) => (
            <th key={index} scope="col">
              {weekday.format(MONDAY + index * 86_400_000)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.find((cell) => cell !== null)?.day}>
            {week.map((cell, index) =>
              cell === null ? (
                <td key={index} class="empty" />
              ) : (
                <td key={cell.day}>
                  <CalendarDay
                    {...cell}
                    isLinked={withIncidents.has(cell.day)}
                    frame={frame}
                    noData={words.components.noData}
                  />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const CalendarDay = ({
  day,
  status,
  isLinked,
  frame,
  noData,
}: {
  day: Day;
  status: ComponentStatus | null;
  isLinked: boolean;
  frame: Frame;
  noData: string;
}): JSX.Element => {
  const number = Number(day.slice(8)).toString();
  const state = status === null ? 'none' : stateOfComponent(status);
  const label = `${frame.times.day(day)}${wordsFor(frame.language).colon}${status === null ? noData : wordsFor(frame.language).componentStatus[status]}`;
  const content = (
    <>
      {number}
      {state !== 'none' && state !== 'operational' && <StateIcon state={state} />}
    </>
  );
  return isLinked ? (
    <a class={`tint-${state === 'none' ? 'operational' : state}`} href={`#d-${day}`} aria-label={label}>
      {content}
    </a>
  ) : (
    <span class={`tint-${state}`} title={label}>
      {content}
    </span>
  );
};

/** A form on the history page that leads to a past state of the whole status page. */
const PastStates = ({ frame, past }: { frame: Frame; past: FramePast }): JSX.Element => (
  <details class="past-states">
    <summary>{frame.words.asOf.title}</summary>
    <MomentForm frame={frame} past={past} at={past.until} />
  </details>
);
