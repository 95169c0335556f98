import type { JSX } from 'preact';
import { StateIcon } from '../../../../views/status/state.tsx';
import { useLive } from '../../../live/live-data.ts';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { Link } from '../../../parts/link.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { regionText } from '../../../parts/region-text.ts';
import { Moment } from '../../../parts/times/since.tsx';
import { navigate, currentLocation } from '../../../router/router.ts';
import { call } from '../../../session/call.ts';
import type { Loaded } from '../../../session/loaded.ts';
import { language, words } from '../../../shell/language.ts';
import { timeText } from '../../checks/figures.ts';
import { addressWithQuery, replaceQuery } from '../change-query.ts';
import { reloadedBy, type Check, type Result, type ResultPage } from '../source.ts';
import { filterOf, isUnfiltered, requestOf } from './filter.ts';
import { Filters } from './filters.tsx';
import { ResultDrawer } from './result-drawer.tsx';
import { stateOfResult } from './status.ts';
import { fieldsOf, numberOf } from './values.ts';

export interface ResultsTabProps {
  check: Check;
  /** the newest results, which are already loaded for other parts of the screen */
  latest: Loaded<ResultPage>;
  again: () => void;
}

/** The paginated results of a check. A drawer shows the result that the user has opened. */
export const ResultsTab = ({ check, latest, again }: ResultsTabProps): JSX.Element => {
  const { query } = currentLocation.value;
  const filter = filterOf(query);
  const opened = query.get('result');
  const regions = latest.status === 'loading' ? [] : (latest.value?.results ?? []);
  return (
    <section class="results" aria-label={words.value.check.results}>
      <Filters filter={filter} regions={[...new Set(regions.map((one) => one.check_server.region))].sort()} />
      {isUnfiltered(filter) ? (
        <Page loaded={latest} again={again} isFiltered={false} />
      ) : (
        <Filtered check={check} filter={filter} />
      )}
      {opened !== null && (
        <ResultDrawer
          key={opened}
          check={check}
          id={opened}
          known={regions.find(({ id }) => id === opened) ?? null}
          onClose={() => {
            if (currentLocation.peek().query.has('result')) replaceQuery({ result: null });
          }}
        />
      )}
    </section>
  );
};

const Filtered = ({ check: { id }, filter }: { check: Check; filter: ReturnType<typeof filterOf> }): JSX.Element => {
  const source = reloadedBy(
    (signal) =>
      call('GET /v1/checks/{check_id}/results', { params: { check_id: id }, query: requestOf(filter) }, { signal }),
    ['check'],
    (change) => change.id === id && change.change !== 'deleted',
  );
  const { loaded, again } = useLive(source, Object.values(filter));
  return <Page loaded={loaded} again={again} isFiltered />;
};

const Page = ({
  loaded,
  again,
  isFiltered,
}: {
  loaded: Loaded<ResultPage>;
  again: () => void;
  isFiltered: boolean;
}): JSX.Element => {
  const { check: says } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  return (
    <>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {loaded.value?.results.length === 0 && <p class="nothing">{isFiltered ? says.noMatch : says.noResults}</p>}
      {loaded.value && loaded.value.results.length > 0 && (
        <DataTable label={says.results} columns={columns()} rows={loaded.value.results} keyOf={({ id }) => id} />
      )}
      {loaded.value && (
        <Pager
          pagination={loaded.value.pagination}
          onPage={(page) => {
            navigate(addressWithQuery({ page: page === 1 ? null : page.toString() }));
          }}
        />
      )}
    </>
  );
};

/** Returns a one-line summary of a result: its error message, or else its status. */
const sentenceOf = ({ status, error_message, check_metadata }: Result): string => {
  if (error_message !== null) return error_message;
  const code = numberOf(fieldsOf(check_metadata)['status_code']);
  return code === null ? words.value.check.statuses[status] : code.toString();
};

const columns = (): Column<Result>[] => {
  const { check: says } = words.value;
  return [
    {
      name: 'when',
      label: says.when,
      kind: 'key',
      cell: (result) => (
        <>
          <StateIcon state={stateOfResult(result)} />
          <Link to={addressWithQuery({ result: result.id })}>
            <Moment instant={result.created_at} />
          </Link>
        </>
      ),
    },
    { name: 'status', label: says.status, cell: ({ status }) => says.statuses[status] },
    {
      name: 'message',
      label: says.message,
      kind: 'wide',
      cell: (result) => (
        <span class="clamped">
          <bdi>{sentenceOf(result)}</bdi>
          {result.suspect && <span class="badge">{says.suspect}</span>}
          {result.result_type === 'on_demand' && <span class="badge">{says.onDemand}</span>}
        </span>
      ),
    },
    { name: 'region', label: says.region, cell: ({ check_server }) => <bdi>{regionText(check_server.region)}</bdi> },
    {
      name: 'time',
      label: says.responseTime,
      kind: 'number',
      cell: ({ response_time }) => timeText(response_time, language.value),
    },
  ];
};
