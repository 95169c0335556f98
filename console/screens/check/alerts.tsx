import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive } from '../../live/live-data.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { durationOf, Moment } from '../../parts/times/since.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { addressWithQuery } from './change-query.ts';
import { PAGE_SIZE, pageOf } from './query.ts';
import { reloadedBy, type Check } from './source.ts';

/** The alerts of a check, and the rules that watch the check. */
export const AlertsTab = ({ check: { id } }: { check: Check }): JSX.Element => (
  <>
    <Rules id={id} />
    <Alerts id={id} />
  </>
);

const Rules = ({ id }: { id: string }): JSX.Element => {
  const { loaded, again } = useLive(
    reloadedBy(
      (signal) => call('GET /v1/alerts/rules', { query: { check_id: id, by_tag: true } }, { signal }),
      ['alert_rule'],
      () => true,
    ),
    [id],
  );
  const { check: says } = words.value;
  const rules = loaded.status === 'loading' ? null : loaded.value;
  return (
    <section class="part-list">
      <header>
        <h2>{says.rules}</h2>
        {may('POST /v1/alerts/rules') && (
          <Link to={`/alerts/rules/new?check_id=${id}`} class="button">
            {says.newRule}
          </Link>
        )}
      </header>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {rules?.length === 0 && <p class="nothing">{says.noRules}</p>}
      {rules && rules.length > 0 && (
        <DataTable label={says.rules} columns={ruleColumns()} rows={rules} keyOf={(rule) => rule.id} />
      )}
    </section>
  );
};

const ruleColumns = (): Column<Schemas['AlertRule']>[] => {
  const { severities, check: says } = words.value;
  return [
    {
      name: 'name',
      label: says.name,
      kind: 'key',
      cell: ({ id, name }) => (
        <Link to={`/alerts/rules/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      name: 'condition',
      label: says.condition,
      kind: 'wide',
      cell: ({ condition, tag, enabled }) => (
        <span class="clamped">
          {says.conditions[condition]}
          {tag !== null && <span class="badge">{tag}</span>}
          {!enabled && <span class="badge">{says.disabled}</span>}
        </span>
      ),
    },
    { name: 'severity', label: says.severity, cell: ({ severity }) => severities[severity] },
    {
      name: 'channels',
      label: says.channels,
      cell: ({ channels }) => <bdi>{channels.map(({ name }) => name).join(', ') || '–'}</bdi>,
    },
  ];
};

const Alerts = ({ id }: { id: string }): JSX.Element => {
  const page = pageOf(currentLocation.value.query);
  const { loaded, again } = useLive(
    reloadedBy(
      (signal) => call('GET /v1/alerts', { query: { check_id: id, page, per_page: PAGE_SIZE } }, { signal }),
      ['alert'],
      ({ row }) => !row || !('check_id' in row) || row.check_id === id,
    ),
    [id, page],
  );
  const { check: says } = words.value;
  const list = loaded.status === 'loading' ? null : loaded.value;
  return (
    <section class="part-list">
      <h2>{says.alertList}</h2>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {list?.alerts.length === 0 && <p class="nothing">{says.noAlerts}</p>}
      {list && list.alerts.length > 0 && (
        <DataTable label={says.alertList} columns={alertColumns()} rows={list.alerts} keyOf={(alert) => alert.id} />
      )}
      {list && (
        <Pager
          pagination={{ page, total_pages: list.pagination.pages, total_items: list.pagination.total }}
          onPage={(next) => {
            navigate(addressWithQuery({ page: next === 1 ? null : next.toString() }));
          }}
        />
      )}
    </section>
  );
};

const alertColumns = (): Column<Schemas['Alert']>[] => {
  const { severities, check: says } = words.value;
  return [
    {
      name: 'title',
      label: says.alert,
      kind: 'key',
      cell: ({ id, title }) => (
        <Link to={`/alerts/${id}`}>
          <bdi>{title}</bdi>
        </Link>
      ),
    },
    { name: 'status', label: says.status, cell: ({ status }) => says.alertStatuses[status] },
    { name: 'severity', label: says.severity, cell: ({ severity }) => severities[severity] },
    { name: 'fired', label: says.when, cell: ({ fired_at }) => <Moment instant={fired_at} /> },
    {
      name: 'duration',
      label: says.duration,
      kind: 'number',
      cell: ({ duration }) => durationOf(duration, language.value),
    },
  ];
};
