import type { JSX } from 'preact';
import { stateOfImpact, StatePill } from '../../../views/status/state.tsx';
import { useLive } from '../../live/live-data.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Since } from '../../parts/times/since.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { PublishedBar } from '../incident/editor/published-bar.tsx';
import { INCIDENTS, type IncidentLine } from '../overview/sources.ts';
import { NewOnPage } from './new-on-page.tsx';
import { Past } from './past.tsx';

/** The screen of incidents: the active ones of all status pages, and the past ones of a chosen page. */
const Incidents = (): JSX.Element => {
  const { loaded, again } = useLive(INCIDENTS, []);
  const { incidents: says, screens } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.value === null) {
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  }
  const { incidents, pages } = loaded.value;
  if (pages.size === 0) return <NoPages />;
  return (
    <>
      <ScreenHead title={screens.incidents}>
        <Link to="/incident-templates" class="button">
          {screens.incidentTemplates}
        </Link>
        {may('POST /v1/pages/{page_id}/incidents') && (
          <NewOnPage pages={[...pages].map(([id, name]) => ({ id, name }))} label={says.newIncident} />
        )}
      </ScreenHead>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <section class="list-part" aria-labelledby="running">
        <h2 id="running">{says.running}</h2>
        {incidents.length === 0 ? (
          <p class="muted">{says.noneRunning}</p>
        ) : (
          <Running incidents={incidents} pages={pages} />
        )}
      </section>
      <Past pages={pages} />
      <PublishedBar />
    </>
  );
};
export default Incidents;

const NoPages = (): JSX.Element => {
  const { incidents: says } = words.value;
  return (
    <Panel title={says.noPages} text={says.noPagesText}>
      {may('POST /v1/pages') && (
        <Link to="/pages/new" class="button primary">
          {says.newPage}
        </Link>
      )}
    </Panel>
  );
};

const Running = (props: { incidents: readonly IncidentLine[]; pages: ReadonlyMap<string, string> }): JSX.Element => {
  const { incidents: says } = words.value;
  return (
    <DataTable
      label={says.running}
      rows={props.incidents}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'name',
          label: words.value.common.name,
          kind: 'key',
          cell: ({ id, page_id, name }) => (
            <Link to={`/pages/${page_id}/incidents/${id}`}>
              <bdi>{name}</bdi>
            </Link>
          ),
        },
        {
          name: 'status',
          label: says.status,
          cell: ({ impact, status }) => <StatePill state={stateOfImpact(impact)} label={says.statuses[status]} />,
        },
        { name: 'page', label: says.page, cell: ({ page_id }) => <bdi>{props.pages.get(page_id) ?? ''}</bdi> },
        {
          name: 'since',
          label: says.since,
          cell: ({ scheduled_for, created_at }) => <Since instant={scheduled_for ?? created_at} />,
        },
      ]}
    />
  );
};
