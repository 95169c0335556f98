import type { JSX } from 'preact';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Instant } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { addressIn, type Frame } from './frame.ts';
import { incidentPath, type IncidentView } from './incidents.tsx';
import { stateOfComponent, StateIcon } from './state.tsx';

/** An interval with one status. The uptime of a component is computed from such intervals. */
export interface IntervalRow {
  from: Instant;
  to: Instant;
  /** length in seconds */
  length: number;
  status: ComponentStatus;
  /** what set the status; null if nothing did */
  source: 'incident' | 'edit' | 'creation' | 'hold' | null;
  /** the incident that set the status; null: something else did, or the page does not name the incident here */
  incident: IncidentView | null;
  /** whether the interval is excluded because of maintenance */
  isExcluded: boolean;
}

export interface UptimeIntervalsProps {
  frame: Frame;
  /** newest first */
  intervals: readonly IntervalRow[];
  /** whether there are older intervals that are not listed */
  isTruncated: boolean;
}

/** The list of the intervals from which the uptime of a component is computed. */
export const UptimeIntervals = ({ frame, intervals, isTruncated }: UptimeIntervalsProps): JSX.Element => {
  const { words } = frame;
  const labels = words.components;
  return (
    <details>
      <summary>{labels.howComputed}</summary>
      <table class="days intervals">
        <caption>{labels.intervals}</caption>
        <thead>
          <tr>
            <th scope="col">{labels.period}</th>
            <th scope="col">{words.incidents.duration}</th>
            <th scope="col">{labels.state}</th>
            <th scope="col">{labels.setBy}</th>
          </tr>
        </thead>
        <tbody>
          {intervals.map((interval) => (
            <Row key={interval.from} frame={frame} interval={interval} />
          ))}
        </tbody>
      </table>
      {isTruncated && <p class="muted">{labels.olderIntervals}</p>}
    </details>
  );
};

const Row = ({ frame, interval }: { frame: Frame; interval: IntervalRow }): JSX.Element => {
  const { words, times, language } = frame;
  const { from, to, length, status, isExcluded } = interval;
  return (
    <tr>
      <th scope="row">{times.span(from, to)}</th>
      <td>{times.duration(length)}</td>
      <td>
        <StateIcon state={stateOfComponent(status)} /> {wordsFor(language).componentStatus[status]}
        {isExcluded && <> ({words.components.notCounted})</>}
      </td>
      <td>
        <Source frame={frame} interval={interval} />
      </td>
    </tr>
  );
};

const Source = ({ frame, interval }: { frame: Frame; interval: IntervalRow }): JSX.Element => {
  const { source, incident } = interval;
  const { sources } = frame.words.components;
  if (incident)
    return (
      <a href={addressIn(frame, incidentPath(incident))} dir="auto">
        {incident.name}
      </a>
    );
  return <>{source === null ? '–' : sources[source]}</>;
};
