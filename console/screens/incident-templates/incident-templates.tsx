import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { Icon } from '../../parts/icon.tsx';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { Pager } from '../../parts/pager.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { allPages, type StatusPage } from '../incidents/pages.ts';

type Template = Schemas['IncidentTemplate'];

interface TemplatePage {
  incident_templates: readonly Template[];
  pagination: Schemas['Pagination'];
  pages: readonly StatusPage[];
}

const source = (page: number): LiveSource<TemplatePage> => ({
  load: async (signal) => {
    const [listed, pages] = await Promise.all([
      call('GET /v1/incident-templates', { query: { page, page_size: 50 } }, { signal }),
      allPages(signal),
    ]);
    return { ...listed, pages };
  },
  resources: ['incident_template', 'page'],
  merge: () => null,
});

/** Returns the path of the screen for a new incident on a page, with a template applied. */
const useOf = ({ id, kind }: Template, page_id: string): string =>
  `/pages/${page_id}/incidents/new?${new URLSearchParams({
    ...(kind === 'maintenance' && { kind }),
    template: id,
  }).toString()}`;

/** The incident and maintenance templates. */
const IncidentTemplates = (): JSX.Element => {
  const page = Math.max(1, Number(currentLocation.value.query.get('page') ?? 1) || 1);
  const { loaded, again } = useLive(source(page), [page]);
  const asked = useSignal<Template | null>(null);
  const { common, templates: says, screens, incidents: own } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.value === null) {
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  }
  const { incident_templates: templates, pagination, pages } = loaded.value;
  const names = new Map(pages.map(({ id, name }) => [id, name]));
  const mayWrite = may('POST /v1/incident-templates');
  const columns: Column<Template>[] = [
    {
      name: 'name',
      label: common.name,
      kind: 'key',
      cell: (template) => (
        <>
          <Link to={`/incident-templates/${template.id}`}>
            <bdi>{template.name}</bdi>
          </Link>
          <ManagedBadge of={template} />
        </>
      ),
    },
    { name: 'kind', label: says.kind, cell: ({ kind }) => says.kinds[kind] },
    {
      name: 'page',
      label: own.page,
      cell: ({ page_id }) => (page_id === null ? says.allPages : <bdi>{names.get(page_id) ?? ''}</bdi>),
    },
    { name: 'changed', label: common.changed, cell: ({ updated_at }) => <Moment instant={updated_at} /> },
    {
      name: 'do',
      label: common.actions,
      kind: 'actions',
      cell: (template) => (
        <Menu label={`${common.actions}: ${template.name}`} icon="more">
          {may('POST /v1/pages/{page_id}/incidents') &&
            pages
              .filter(({ id }) => template.page_id === null || template.page_id === id)
              .map(({ id, name }) => (
                <Link key={id} to={useOf(template, id)}>
                  {says.useOn(name)}
                </Link>
              ))}
          <button
            type="button"
            class="danger"
            onClick={() => {
              asked.value = template;
            }}
          >
            {common.delete}
          </button>
        </Menu>
      ),
    },
  ];
  return (
    <>
      <ScreenHead title={screens.incidentTemplates} back={{ to: '/incidents', label: screens.incidents }}>
        {mayWrite && (
          <Link to="/incident-templates/new" class="button primary">
            <Icon name="add" />
            {says.new}
          </Link>
        )}
      </ScreenHead>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {templates.length === 0 ? (
        <p class="muted nothing-yet">{says.none}</p>
      ) : (
        <DataTable
          label={screens.incidentTemplates}
          rows={templates}
          keyOf={({ id }) => id}
          columns={mayWrite ? columns : columns.slice(0, -1)}
        />
      )}
      <Pager
        pagination={pagination}
        onPage={(to) => {
          navigate(`/incident-templates?page=${to}`);
        }}
      />
      {asked.value && (
        <ConfirmDialog
          title={says.deleteTitle}
          text={<bdi>{asked.value.name}</bdi>}
          action={common.delete}
          danger
          onConfirm={async () => {
            const params = { incident_template_id: asked.value?.id ?? '' };
            await call('DELETE /v1/incident-templates/{incident_template_id}', { params });
            again();
          }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </>
  );
};
export default IncidentTemplates;
