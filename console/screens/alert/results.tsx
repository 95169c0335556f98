import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Loading } from '../../parts/loading.tsx';
import { regionText } from '../../parts/region-text.ts';
import { Moment } from '../../parts/times/since.tsx';
import { useLoaded } from '../../session/loaded.ts';
import { language, words } from '../../shell/language.ts';
import { timeText } from '../checks/figures.ts';
import { resultsAround } from './source.ts';

/** The columns that all result tables of this screen share. */
interface Measured {
  region: string;
  status: string;
  response_time: number | null;
  error_message: string | null;
}

const measuredColumns = <Row extends Measured>(): Column<Row>[] => {
  const { alerts: says, checks } = words.value;
  return [
    { name: 'status', label: says.status, cell: ({ status }) => statusWord(status) },
    {
      name: 'time',
      label: checks.responseTime,
      kind: 'number',
      cell: ({ response_time }) => timeText(response_time, language.value),
    },
    { name: 'message', label: checks.message, kind: 'wide', cell: ({ error_message }) => <bdi>{error_message}</bdi> },
  ];
};

/** Returns the translation of an API status such as `ok` or `down`. An unknown status is returned unchanged. */
const statusWord = (status: string): string =>
  (words.value.alerts.resultStatuses as Readonly<Record<string, string>>)[status] ?? status;

/** The result of each region in the run that triggered an alert. */
export const Regions = ({ regions }: { regions: readonly Schemas['AlertRegion'][] }): JSX.Element => {
  const { alerts: says, common } = words.value;
  return (
    <section>
      <h2>{says.regions}</h2>
      <DataTable
        label={says.regions}
        keyOf={({ region }) => region}
        rows={regions}
        columns={[
          { name: 'region', label: says.region, kind: 'key', cell: ({ region }) => <bdi>{regionText(region)}</bdi> },
          { name: 'holds', label: says.holds, cell: ({ holds }) => (holds ? common.yes : common.no) },
          ...measuredColumns<Schemas['AlertRegion']>(),
        ]}
      />
    </section>
  );
};

/** The results that triggered an alert. */
export const Triggers = ({ results }: { results: readonly Schemas['AlertTriggerResult'][] }): JSX.Element => {
  const { alerts: says } = words.value;
  return (
    <section>
      <h2>{says.triggers}</h2>
      <DataTable
        label={says.triggers}
        keyOf={({ result_id }) => result_id}
        rows={results}
        columns={[
          { name: 'at', label: says.at, kind: 'key', cell: ({ at }) => <Moment instant={at} /> },
          { name: 'region', label: says.region, cell: ({ region }) => <bdi>{regionText(region)}</bdi> },
          ...measuredColumns<Schemas['AlertTriggerResult']>(),
        ]}
      />
    </section>
  );
};

/** The results of the check from 15 minutes before to 15 minutes after an alert fired. */
export const ResultsAround = (about: { check_id: string; fired_at: string }): JSX.Element | null => {
  const { alerts: says } = words.value;
  const { loaded, again } = useLoaded((signal) => resultsAround(about, signal), [about.check_id, about.fired_at]);
  if (loaded.status === 'failed' && loaded.failure.status === 404) {
    return <p class="fine">{says.checkDeleted}</p>;
  }
  if (loaded.status === 'loaded' && loaded.value.length === 0) return null;
  return (
    <section>
      <h2>{says.around}</h2>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {loaded.status === 'loaded' && (
        <DataTable
          label={says.around}
          keyOf={({ id }) => id}
          rows={loaded.value.map((result) => ({ ...result, region: result.check_server.region }))}
          columns={[
            { name: 'at', label: says.at, kind: 'key', cell: ({ created_at }) => <Moment instant={created_at} /> },
            { name: 'region', label: says.region, cell: ({ region }) => <bdi>{regionText(region)}</bdi> },
            ...measuredColumns<Schemas['CheckResult'] & Measured>(),
          ]}
        />
      )}
    </section>
  );
};
