import type { JSX } from 'preact';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Day } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { BarShapes, Strip, type BarScale, type Bars } from './bars.tsx';
import { ResponseChart, type ResponseTimesView } from './chart.tsx';
import { isolated } from '../../messages/characters.ts';
import { addressIn, type Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';
import { incidentPath, type IncidentView } from './incidents.tsx';
import { stateOfComponent, StateIcon, StatePill } from './state.tsx';
import { UptimeIntervals, type UptimeIntervalsProps } from './uptime-intervals.tsx';

/** The status of a component on a day; null: no data. */
export interface DayRow {
  day: Day;
  status: ComponentStatus | null;
  /** total durations of major outages and of partial outages, in seconds */
  major: number;
  partial: number;
  incidents: readonly IncidentView[];
}

export interface ComponentPageProps {
  frame: Frame;
  id: string;
  name: string;
  description: string | null;
  status: ComponentStatus;
  group: { id: string; name: string } | null;
  /** null: the component does not show uptime data */
  history: {
    bars: Bars;
    scale: BarScale;
    uptime: string;
    days: readonly DayRow[];
    from: string;
    intervals: Omit<UptimeIntervalsProps, 'frame'>;
  } | null;
  responseTimes: ResponseTimesView | null;
}

/** The page of a component, with a table of its days. */
export const ComponentPage = (props: ComponentPageProps): JSX.Element => {
  const { frame, id, name, description, status, group, history, responseTimes } = props;
  const { root, words, language } = frame;
  return (
    <StatusDocument frame={frame} title={name}>
      <section class="component-page stack" data-live="component">
        <p>
          <a href={addressIn(frame, '')}>{words.backTo(isolated(frame.name))}</a>
          {group && (
            <>
              {' · '}
              <a href={addressIn(frame, `groups/${group.id}`)}>
                <bdi>{group.name}</bdi>
              </a>
            </>
          )}
        </p>
        <h1 dir="auto">{name}</h1>
        <p>
          <StatePill state={stateOfComponent(status)} label={wordsFor(language).componentStatus[status]} />
        </p>
        {description !== null && description !== '' && (
          <p class="description" dir="auto">
            {description}
          </p>
        )}
        {frame.subscribable && (
          <p>
            <a class="button" href={`${root}subscribe?component=${id}`}>
              {words.incidents.follow}
            </a>
          </p>
        )}
        {responseTimes && <ResponseChart frame={frame} {...responseTimes} />}
        {history && (
          <>
            <BarShapes scale={history.scale} frame={frame} />
            <p>{history.uptime}</p>
            <Strip {...history.bars} name={name} scale={history.scale} href={addressIn(frame, `components/${id}`)} />
            <p class="ends ends-90d" aria-hidden="true">
              <span>{history.from}</span>
              <span>{words.components.today}</span>
            </p>
            <UptimeIntervals frame={frame} {...history.intervals} />
            <Days frame={frame} days={history.days} />
          </>
        )}
      </section>
    </StatusDocument>
  );
};

const Days = ({ frame, days }: { frame: Frame; days: readonly DayRow[] }): JSX.Element => {
  const { words, times, language } = frame;
  const { components: labels } = words;
  return (
    <table class="days">
      <caption>{labels.byDay}</caption>
      <thead>
        <tr>
          <th scope="col">{labels.day}</th>
          <th scope="col">{labels.state}</th>
          <th scope="col">{labels.outage}</th>
          <th scope="col">{labels.partialOutage}</th>
          <th scope="col">{labels.incidents}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, status, major, partial, incidents }) => (
          <tr key={day} id={`d-${day}`}>
            <th scope="row">
              <time datetime={day}>{times.day(day)}</time>
            </th>
            <td>
              {status === null ? (
                labels.noData
              ) : (
                <>
                  <StateIcon state={stateOfComponent(status)} /> {wordsFor(language).componentStatus[status]}
                </>
              )}
            </td>
            <td>{major > 0 ? times.duration(major) : '–'}</td>
            <td>{partial > 0 ? times.duration(partial) : '–'}</td>
            <td>
              {incidents.map((incident) => (
                <p key={incident.id}>
                  <a href={addressIn(frame, incidentPath(incident))} dir="auto">
                    {incident.name}
                  </a>
                </p>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
