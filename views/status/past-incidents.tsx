import type { JSX } from 'preact';
import type { Day } from '../../domain/time.ts';
import { addressIn, type Frame } from './frame.ts';
import { IncidentLine, type IncidentView } from './incidents.tsx';

/** The incidents of one day. */
export interface PastDay {
  day: Day;
  incidents: readonly IncidentView[];
}

/** The incidents of the most recent days, newest first. */
export const PastDays = ({ days, frame }: { days: readonly PastDay[]; frame: Frame }): JSX.Element => {
  const { words, times } = frame;
  return (
    <section class="past" data-live="past">
      <header class="section-head">
        <h2>{words.incidents.past}</h2>
        <a href={addressIn(frame, 'history')}>{words.incidents.allHistory}</a>
      </header>
      {days.map(({ day, incidents }) =>
        incidents.length === 0 ? (
          <p key={day} class="quiet">
            {words.incidents.noneOn(times.day(day))}
          </p>
        ) : (
          <div key={day} class="day">
            <h3 class="day-name">{times.day(day)}</h3>
            {incidents.map((incident) => (
              <IncidentLine key={incident.id} incident={incident} frame={frame} />
            ))}
          </div>
        ),
      )}
    </section>
  );
};
