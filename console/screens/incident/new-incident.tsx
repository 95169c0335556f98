import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { emptyDraft, withTemplate, type Draft, type Kind } from './editor/draft.ts';
import { Editor } from './editor/editor.tsx';
import { undoneCount } from './editor/published.ts';

interface Loaded {
  page: Schemas['Page'];
  components: readonly Schemas['Component'][];
  template: Schemas['IncidentTemplate'] | null;
}

const load = async (page_id: string, template_id: string | null, signal: AbortSignal): Promise<Loaded> => {
  const params = { page_id };
  const [page, components, template] = await Promise.all([
    call('GET /v1/pages/{page_id}', { params }, { signal }),
    call('GET /v1/pages/{page_id}/components', { params }, { signal }),
    template_id === null
      ? null
      : call(
          'GET /v1/incident-templates/{incident_template_id}',
          { params: { incident_template_id: template_id } },
          { signal },
        ),
  ]);
  return { page, components, template };
};

/**
 * Returns the initial values of a new incident or maintenance. A maintenance starts at 2 a.m. on the day chosen in the
 * calendar, and lasts an hour.
 */
const presetOf = ({ components, template }: Loaded, kind: Kind, day: string | null): Partial<Draft> => {
  const draft = emptyDraft(kind);
  if (kind === 'maintenance' && day !== null) {
    const from = new Date(`${day}T02:00`);
    if (!Number.isNaN(from.getTime())) {
      draft.scheduled_for = from.toISOString().slice(0, 19);
      draft.scheduled_until = new Date(from.getTime() + 3_600_000).toISOString().slice(0, 19);
    }
  }
  if (template?.kind !== kind) return draft;
  return withTemplate(draft, template, new Set(components.map(({ id }) => id)));
};

/** Creates an incident, or schedules a maintenance (`?kind=maintenance`). */
const NewIncident = ({ params: { page_id = '' } }: { params: Params }): JSX.Element => {
  const { query } = currentLocation.value;
  const kind: Kind = query.get('kind') === 'maintenance' ? 'maintenance' : 'incident';
  const { loaded, again } = useLoaded((signal) => load(page_id, query.get('template'), signal), [page_id]);
  const { incidents: says, screens, failure } = words.value;
  const back =
    kind === 'maintenance'
      ? { to: '/maintenances', label: screens.maintenances }
      : { to: '/incidents', label: screens.incidents };
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') {
    if (loaded.failure.status === 404) return <NotFoundPanel {...back} />;
    return <FailurePanel failure={loaded.failure} again={again} />;
  }
  const { page, components } = loaded.value;
  return (
    <>
      <ScreenHead title={kind === 'maintenance' ? says.newMaintenance : says.newIncident} back={back} />
      <p class="page-name">
        <bdi>{page.name}</bdi>
      </p>
      {may('POST /v1/pages/{page_id}/incidents') ? (
        <Editor
          key={`${kind} ${undoneCount.value}`}
          page={page}
          components={components}
          incident={null}
          kind={kind}
          preset={presetOf(loaded.value, kind, query.get('day'))}
          onPublished={({ incident_id }) => {
            navigate(`/pages/${page_id}/incidents/${incident_id}`, { replace: true });
          }}
        />
      ) : (
        <p class="notice">{failure.forbidden}</p>
      )}
    </>
  );
};
export default NewIncident;
