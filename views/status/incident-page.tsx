import type { JSX } from 'preact';
import type { IncidentStatus } from '../../domain/incident/statuses.ts';
import type { Instant } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { BarShapes, Strip, type BarScale, type Bars } from './bars.tsx';
import { isolated } from '../../messages/characters.ts';
import { addressIn, atSameMoment, type Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';
import { Affected, Schedule, stateOfIncident, Update, type IncidentView } from './incidents.tsx';
import { StatePill } from './state.tsx';
import { Markdown, Time } from './text-elements.tsx';

/** The text of an update before an edit, if the page shows edits. */
export interface PreviousTextView {
  body: string;
  replacedAt: Instant;
}

/** A deleted update, if the page shows deletions. Its text is not available. */
export interface DeletedUpdateView {
  id: string;
  status: IncidentStatus;
  at: Instant;
  deletedAt: Instant;
}

export interface IncidentPageProps {
  frame: Frame;
  incident: IncidentView;
  /** previous texts by id of the update, newest first */
  previous: ReadonlyMap<string, readonly PreviousTextView[]>;
  deleted: readonly DeletedUpdateView[];
  postmortem: { body: string; publishedAt: Instant } | null;
  /** the status of each component during the incident */
  strips: readonly { id: string; name: string; bars: Bars }[];
  scale: BarScale;
  /** duration in seconds, until the end of the incident or until now */
  duration: number;
  /** address of a page with earlier updates; null: all updates are shown */
  older: string | null;
}

/** The complete page of an incident or a maintenance. */
export const IncidentPage = (props: IncidentPageProps): JSX.Element => {
  const { frame, incident, strips, postmortem, scale, duration } = props;
  const { root, words, language, times, name } = frame;
  const { incidents: labels } = words;
  const { incidentStatus, impact } = wordsFor(language);
  const { startedAt, resolvedAt, kind } = incident;
  return (
    <StatusDocument frame={frame} title={incident.name}>
      <BarShapes scale={scale} frame={frame} />
      <article class="incident-page stack" data-live="incident">
        <p>
          <a href={addressIn(frame, '')}>{words.backTo(isolated(name))}</a>
        </p>
        <h1 dir="auto">{incident.name}</h1>
        <p>
          <StatePill state={stateOfIncident(incident)} label={incidentStatus[incident.status]} />
        </p>
        <Schedule incident={incident} frame={frame} />
        <dl class="facts">
          {kind === 'regular' && (
            <>
              <dt>{labels.impact}</dt>
              <dd>{impact[incident.impact]}</dd>
            </>
          )}
          <dt>{labels.started}</dt>
          <dd>
            <Time at={startedAt} times={times} />
          </dd>
          {resolvedAt !== null && (
            <>
              <dt>{labels.resolved}</dt>
              <dd>
                <Time at={resolvedAt} times={times} />
              </dd>
            </>
          )}
          {incident.status !== 'scheduled' && (
            <>
              <dt>{labels.duration}</dt>
              <dd>{times.duration(duration)}</dd>
            </>
          )}
          {incident.components.length > 0 && (
            <>
              <dt>{labels.affectedComponents}</dt>
              <dd>
                <Affected incident={incident} frame={frame} />
              </dd>
            </>
          )}
        </dl>
        {resolvedAt === null && frame.followable && (
          <p>
            <a class="button" href={`${root}subscribe?incident=${incident.id}`}>
              {labels.follow}
            </a>
          </p>
        )}
        {strips.map(({ id, name: component, bars }) => (
          <div key={id} class="incident-strip">
            <p>
              <bdi>{component}</bdi>
            </p>
            <Strip {...bars} name={component} scale={scale} href={addressIn(frame, `components/${id}`)} />
          </div>
        ))}
        {postmortem !== null && (
          <section class="card postmortem" id="postmortem">
            <h2>{labels.postmortem}</h2>
            <p class="muted">
              <Time at={postmortem.publishedAt} times={times} />
            </p>
            <Markdown text={postmortem.body} topHeading={3} />
          </section>
        )}
        <h2>{labels.updates}</h2>
        <Timeline {...props} />
        {props.older !== null && (
          <p>
            <a href={atSameMoment(frame, props.older)}>{labels.olderUpdates}</a>
          </p>
        )}
      </article>
    </StatusDocument>
  );
};

/** The updates, newest first. If the page shows edits, previous texts and deleted updates are included. */
const Timeline = ({ frame, incident, previous, deleted }: IncidentPageProps): JSX.Element => {
  const { words, times, language } = frame;
  const { incidents: labels } = words;
  const entries = [
    ...incident.updates.map((update) => ({
      at: update.at,
      shown: (
        <Update key={update.id} update={update} frame={frame}>
          <Previous texts={previous.get(update.id) ?? []} frame={frame} />
        </Update>
      ),
    })),
    ...deleted.map(({ id, at, deletedAt, status }) => ({
      at,
      shown: (
        <article key={id} class="update deleted">
          <p class="update-head">
            {wordsFor(language).incidentStatus[status]} <Time at={at} times={times} />
          </p>
          <p class="muted">
            {labels.deletedUpdate} · <Time at={deletedAt} times={times} />
          </p>
        </article>
      ),
    })),
  ];
  return (
    <div class="timeline">
      {entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).map(({ shown }) => shown)}
    </div>
  );
};

const Previous = ({ texts, frame }: { texts: readonly PreviousTextView[]; frame: Frame }): JSX.Element | null => {
  const [newest] = texts;
  if (!newest) return null;
  const { words, times } = frame;
  return (
    <details class="edited">
      <summary>
        {words.incidents.edited} <Time at={newest.replacedAt} times={times} />
      </summary>
      {texts.map(({ body, replacedAt }) => (
        <blockquote key={replacedAt}>
          <p class="muted">{words.incidents.previousText}</p>
          <Markdown text={body} />
        </blockquote>
      ))}
    </details>
  );
};
