import type { ComponentChildren, JSX } from 'preact';
import type { IncidentImpact, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Instant } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { addressIn, type Frame } from './frame.ts';
import { stateOfComponent, stateOfImpact, StateIcon, StatePill, type State } from './state.tsx';
import { Markdown, Time, RelativeTime, TimeSpan } from './text-elements.tsx';

export interface UpdateView {
  id: string;
  status: IncidentStatus;
  /** Markdown text; null: the text is withheld */
  body: string | null;
  at: Instant;
}

/** An incident or a maintenance. */
export interface IncidentView {
  id: string;
  kind: 'regular' | 'maintenance';
  name: string;
  impact: IncidentImpact;
  status: IncidentStatus;
  /** time of the first update */
  startedAt: Instant;
  resolvedAt: Instant | null;
  /** planned start of a maintenance; otherwise null */
  scheduledFor: Instant | null;
  scheduledUntil: Instant | null;
  /** updates, newest first; possibly only the newest few */
  updates: readonly UpdateView[];
  /** total number of updates */
  updateCount: number;
  components: readonly NamedComponent[];
}

/** A component that an incident names. */
export interface NamedComponent {
  id: string;
  name: string;
  status: ComponentStatus;
  /**
   * whether the status page currently shows the component, so that the component has a page to which incidents can link
   */
  hasPage: boolean;
}

/** Returns the address of an incident or a maintenance, relative to the page's root. */
export const incidentPath = ({ id, kind }: Pick<IncidentView, 'id' | 'kind'>): string =>
  `${kind === 'maintenance' ? 'maintenances' : 'incidents'}/${id}`;

/**
 * Returns the state in whose style an incident is drawn. Until the incident is resolved, the state depends on the
 * impact.
 */
export const stateOfIncident = ({
  kind,
  impact,
  resolvedAt,
}: Pick<IncidentView, 'kind' | 'impact' | 'resolvedAt'>): State => {
  if (resolvedAt !== null) return 'operational';
  if (kind === 'maintenance') return 'maintenance';
  // An incident without impact is still highlighted.
  return impact === 'none' ? 'degraded' : stateOfImpact(impact);
};

/** An update with its status, time and text. */
export const Update = ({
  update,
  frame,
  children,
}: {
  update: UpdateView;
  frame: Frame;
  children?: ComponentChildren;
}): JSX.Element => {
  const { language, times } = frame;
  return (
    <article class="update" id={update.id}>
      <p class="update-head">
        <strong>{wordsFor(language).incidentStatus[update.status]}</strong> <Time at={update.at} times={times} />
      </p>
      <Text body={update.body} frame={frame} />
      {children}
    </article>
  );
};

/** The text of an update. */
export const Text = ({ body, frame }: { body: string | null; frame: Frame }): JSX.Element => {
  const { withheld, noText } = frame.words.incidents;
  return body === null || body === '' ? (
    <p class="muted">{body === null ? withheld : noText}</p>
  ) : (
    <Markdown text={body} />
  );
};

/** An unresolved incident. Shows its newest update; earlier updates are collapsed. */
export const IncidentCard = ({ incident, frame }: { incident: IncidentView; frame: Frame }): JSX.Element => {
  const { root, words, language } = frame;
  const [newest, ...earlier] = incident.updates;
  const href = addressIn(frame, incidentPath(incident));
  const state = stateOfIncident(incident);
  const label =
    incident.kind === 'maintenance'
      ? wordsFor(language).incidentStatus[incident.status]
      : wordsFor(language).impact[incident.impact];
  return (
    <article class={`card incident edge-${state}`}>
      <header>
        <h3>
          <a href={href} dir="auto">
            {incident.name}
          </a>
        </h3>
        <StatePill state={state} label={label} />
      </header>
      {incident.scheduledFor !== null && <Schedule incident={incident} frame={frame} />}
      {newest && <Update update={newest} frame={frame} />}
      {earlier.length > 0 && (
        <details>
          <summary>
            <span>{words.incidents.earlier(incident.updateCount - 1)}</span>
          </summary>
          {earlier.map((update) => (
            <Update key={update.id} update={update} frame={frame} />
          ))}
        </details>
      )}
      <footer>
        <Affected incident={incident} frame={frame} />
        {frame.followable && <a href={`${root}subscribe?incident=${incident.id}`}>{words.incidents.follow}</a>}
        <a href={href}>{words.incidents.details}</a>
      </footer>
    </article>
  );
};

/**
 * The components that an incident names, each with an icon of its current status. For a planned maintenance, all icons
 * show the state `maintenance`.
 */
export const Affected = ({
  incident: { components, status: incidentStatus },
  frame,
}: {
  incident: Pick<IncidentView, 'components' | 'status'>;
  frame: Frame;
}): JSX.Element | null =>
  components.length === 0 ? null : (
    <ul class="affected">
      {components.map(({ id, name, status, hasPage }) => (
        <li key={id}>
          <StateIcon state={incidentStatus === 'scheduled' ? 'maintenance' : stateOfComponent(status)} />
          {hasPage ? (
            <a href={addressIn(frame, `components/${id}`)}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
        </li>
      ))}
    </ul>
  );

/** The planned start of a maintenance, or its planned period if the end is known. */
export const Schedule = ({ incident, frame }: { incident: IncidentView; frame: Frame }): JSX.Element | null => {
  const { scheduledFor: from, scheduledUntil: until } = incident;
  if (from === null) return null;
  const { times, root, words } = frame;
  return (
    <p class="schedule">
      {until === null ? <RelativeTime at={from} times={times} /> : <TimeSpan from={from} until={until} times={times} />}{' '}
      {incident.resolvedAt === null && (
        <a href={`${root}${incidentPath(incident)}/maintenance.ics`}>{words.incidents.calendar}</a>
      )}
    </p>
  );
};

/** An incident in a list of past incidents. */
export const IncidentLine = ({ incident, frame }: { incident: IncidentView; frame: Frame }): JSX.Element => {
  const { words, language, times } = frame;
  const { startedAt, resolvedAt, updates } = incident;
  const { incidentStatus, impact } = wordsFor(language);
  const state = stateOfIncident({ ...incident, resolvedAt: null });
  const seconds = resolvedAt === null ? null : (Date.parse(`${resolvedAt}Z`) - Date.parse(`${startedAt}Z`)) / 1_000;
  const [newest] = updates;
  return (
    <article class="line">
      <StateIcon state={state} />
      <div>
        <h3>
          <a href={addressIn(frame, incidentPath(incident))} dir="auto">
            {incident.name}
          </a>
        </h3>
        <p class="muted">
          {incidentStatus[incident.status]}
          {incident.kind === 'regular' && ` · ${impact[incident.impact]}`} · <Time at={startedAt} times={times} />
          {seconds !== null && ` · ${times.duration(seconds)}`}
        </p>
        {newest && newest.body !== '' && <Text body={newest.body} frame={frame} />}
        {incident.updateCount > 1 && (
          <p>
            <a href={addressIn(frame, incidentPath(incident))}>{words.incidents.earlier(incident.updateCount - 1)}</a>
          </p>
        )}
      </div>
    </article>
  );
};
