import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { currentLocation } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { words } from '../../shell/language.ts';
import { allPages, type StatusPage } from '../incidents/pages.ts';
import { fieldsOfIncident, NEW_FIELDS, type TemplateFields } from './fields.ts';
import { TemplateForm } from './template-form.tsx';

interface Loaded {
  pages: readonly StatusPage[];
  template: Schemas['IncidentTemplate'] | null;
  fields: TemplateFields;
}

/**
 * Returns the initial values of a new template. If the URL's query names an incident, the values are copied from this
 * incident.
 */
const beginning = async (query: URLSearchParams, signal: AbortSignal): Promise<TemplateFields> => {
  const page_id = query.get('page_id');
  const incident_id = query.get('incident_id');
  if (page_id === null || incident_id === null) return NEW_FIELDS;
  return fieldsOfIncident(
    await call('GET /v1/pages/{page_id}/incidents/{incident_id}', { params: { page_id, incident_id } }, { signal }),
  );
};

const load = async (id: string | undefined, query: URLSearchParams, signal: AbortSignal): Promise<Loaded> => {
  const [pages, template] = await Promise.all([
    allPages(signal),
    id === undefined
      ? null
      : call('GET /v1/incident-templates/{incident_template_id}', { params: { incident_template_id: id } }, { signal }),
  ]);
  return { pages, template, fields: template ?? (await beginning(query, signal)) };
};

/** Creates or edits a template. */
const TemplateScreen = ({ params: { incident_template_id } }: { params: Params }): JSX.Element => {
  const { loaded, again } = useLoaded(
    (signal) => load(incident_template_id, currentLocation.peek().query, signal),
    [incident_template_id],
  );
  const { screens, templates: says } = words.value;
  const back = { to: '/incident-templates', label: screens.incidentTemplates };
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') {
    return loaded.failure.status === 404 ? (
      <NotFoundPanel {...back} />
    ) : (
      <FailurePanel failure={loaded.failure} again={again} />
    );
  }
  const { pages, template, fields } = loaded.value;
  return (
    <>
      <ScreenHead title={template?.name ?? says.new} isName={template !== null} of={template} back={back} />
      <TemplateForm
        key={`${template?.id ?? ''} ${template?.revision.toString() ?? ''}`}
        pages={pages}
        template={template}
        fields={fields}
        onReload={again}
      />
    </>
  );
};
export default TemplateScreen;
