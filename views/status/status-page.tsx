import type { JSX } from 'preact';
import { Banner, type BannerProps } from './banner.tsx';
import { BarShapes } from './bars.tsx';
import { Components, type ComponentsProps } from './components.tsx';
import { addressIn, type Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';
import { IncidentCard, type IncidentView } from './incidents.tsx';
import { PastDays, type PastDay } from './past-incidents.tsx';

export interface StatusPageProps {
  frame: Frame;
  /** text that the operator has written, shown above the banner; null: none */
  headline: string | null;
  description: string;
  banner: BannerProps;
  /** unresolved regular incidents, newest first */
  active: readonly IncidentView[];
  /** number of further unresolved incidents, which are not shown */
  otherActive: number;
  /** maintenances in progress */
  underWay: readonly IncidentView[];
  /** planned maintenances, the next one first */
  upcoming: readonly IncidentView[];
  components: Omit<ComponentsProps, 'frame'>;
  /** incidents of the most recent days; null: past incidents are shown only on the history pages */
  past: readonly PastDay[] | null;
}

/** The root page of a status page, with the current state of all components and their history. */
export const StatusPage = (props: StatusPageProps): JSX.Element => {
  const { frame, headline, description, banner, active, otherActive, underWay, upcoming, components, past } = props;
  const { words } = frame;
  return (
    <StatusDocument frame={frame}>
      {components.detail === 'bars' && <BarShapes scale={components.scale} frame={frame} />}
      {headline !== null && headline !== '' && (
        <p class="headline" dir="auto">
          {headline}
        </p>
      )}
      <Banner frame={frame} {...banner} />
      {description !== '' && (
        <p class="description" dir="auto">
          {description}
        </p>
      )}
      <div data-live="incidents">
        <Incidents title={words.incidents.active} incidents={active} frame={frame} />
        {otherActive > 0 && (
          <p>
            <a href={addressIn(frame, 'history')}>{words.incidents.others(otherActive)}</a>
          </p>
        )}
        <Incidents title={words.incidents.underWay} incidents={underWay} frame={frame} />
        <Incidents title={words.incidents.upcoming} incidents={upcoming} frame={frame} />
      </div>
      <Components frame={frame} {...components} />
      {past && <PastDays days={past} frame={frame} />}
    </StatusDocument>
  );
};

const Incidents = ({
  title,
  incidents,
  frame,
}: {
  title: string;
  incidents: readonly IncidentView[];
  frame: Frame;
}): JSX.Element | null =>
  incidents.length === 0 ? null : (
    <section class="incidents">
      <h2>{title}</h2>
      {incidents.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} frame={frame} />
      ))}
    </section>
  );
