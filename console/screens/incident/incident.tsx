import type { ComponentChildren, JSX } from 'preact';
import { Link } from '../../parts/link.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useLive } from '../../live/live-data.ts';
import { currentLocation } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { ComponentHistory } from './component-history.tsx';
import { kindOf } from './editor/draft.ts';
import { Editor } from './editor/editor.tsx';
import { PublishedBar } from './editor/published-bar.tsx';
import { undoneCount } from './editor/published.ts';
import { IncidentHead } from './incident-head.tsx';
import { Postmortem } from './postmortem/postmortem.tsx';
import { incidentSource } from './source.ts';
import { Timeline } from './timeline.tsx';

const PARTS = ['updates', 'components', 'postmortem'] as const;
type Part = (typeof PARTS)[number];

/** The screen of an incident or a maintenance: its updates, the editor and its postmortem. */
const IncidentScreen = ({ params: { page_id = '', incident_id = '' } }: { params: Params }): JSX.Element => {
  const { loaded, again } = useLive(incidentSource(page_id, incident_id), [page_id, incident_id]);
  const { incidents: says, screens } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed' && loaded.failure.status === 404) {
    return (
      <>
        <NotFoundPanel to="/incidents" label={screens.incidents} />
        <PublishedBar />
      </>
    );
  }
  const view = loaded.value;
  if (view === null)
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  const { incident, page, components } = view;
  const kind = kindOf(incident);
  const at = `/pages/${page_id}/incidents/${incident_id}`;
  const part: Part = PARTS.find((one) => one === currentLocation.value.query.get('part')) ?? 'updates';
  return (
    <div class="incident">
      <IncidentHead incident={incident} page={page} again={again} />
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <nav class="tabs" aria-label={says.parts}>
        <ul>
          {PARTS.map((one) => (
            <li key={one}>
              <Link to={one === 'updates' ? at : `${at}?part=${one}`} current={one === part}>
                {says.partNames[one]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {part === 'updates' && (
        <>
          {may('POST /v1/pages/{page_id}/incidents/{incident_id}/incident_updates') && (
            <WriteUpdate isOver={incident.resolved_at !== null}>
              <Editor
                key={`${incident_id} ${undoneCount.value}`}
                page={page}
                components={components}
                incident={incident}
                kind={kind}
                onPublished={again}
              />
            </WriteUpdate>
          )}
          <Timeline incident={incident} page={page} components={components} again={again} />
        </>
      )}
      {part === 'components' && <ComponentHistory incident={incident} components={components} zone={page.time_zone} />}
      {part === 'postmortem' && <Postmortem key={incident_id} view={view} again={again} />}
      <PublishedBar />
    </div>
  );
};
export default IncidentScreen;

/**
 * The editor for updates. It is collapsed after the incident has ended, because updates of ended incidents are rare.
 */
const WriteUpdate = ({ isOver, children }: { isOver: boolean; children: ComponentChildren }): JSX.Element => {
  const { writeUpdate } = words.value.incidents;
  return isOver ? (
    <details class="write-later">
      <summary>{writeUpdate}</summary>
      {children}
    </details>
  ) : (
    <section aria-labelledby="write-update">
      <h2 id="write-update">{writeUpdate}</h2>
      {children}
    </section>
  );
};
