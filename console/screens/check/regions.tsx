import type { JSX } from 'preact';
import { StateIcon } from '../../../views/status/state.tsx';
import type { Schemas } from '../../api/openapi.d.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { regionText } from '../../parts/region-text.ts';
import { momentOf, Since } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import { timeText, uptimeText } from '../checks/figures.ts';
import type { Figures } from './figures/source.ts';
import { countedOf, gradeOf, percentageOf, type Grade } from './figures/uptime.ts';
import { addressWithQuery } from './change-query.ts';
import { stateOfResult } from './results/status.ts';
import type { Check, Result } from './source.ts';
import { newestByRegion } from './state.ts';

interface Row {
  region: string;
  /** newest result of this region; null: the list of newest results contains none of this region */
  result: Result | null;
  buckets: readonly Schemas['StatusBucket'][];
}

export interface RegionsProps {
  check: Check;
  figures: Figures | null;
  results: readonly Result[] | null;
}

/**
 * Shows the state, the response time and the uptime of the check in each region, with the server that ran the check.
 */
export const Regions = ({ figures, results }: RegionsProps): JSX.Element | null => {
  const { check: says } = words.value;
  const newest = newestByRegion(results ?? []);
  const states = figures?.states ?? [];
  const regions = [...new Set([...newest.keys(), ...states.map(({ region }) => region)])].sort();
  if (regions.length === 0) return null;
  const rows = regions.map((region) => ({
    region,
    result: newest.get(region) ?? null,
    buckets: states.filter((bucket) => bucket.region === region),
  }));
  return (
    <section class="regions">
      <h2>{says.regions}</h2>
      <DataTable label={says.regions} columns={columnsOf(figures)} rows={rows} keyOf={({ region }) => region} />
    </section>
  );
};

const columnsOf = (figures: Figures | null): Column<Row>[] => {
  const { check: says } = words.value;
  return [
    {
      name: 'region',
      label: says.region,
      kind: 'key',
      cell: ({ region, result }) => (
        <>
          <StateIcon state={result ? stateOfResult(result) : 'none'} />
          <bdi>{regionText(region)}</bdi>
        </>
      ),
    },
    {
      name: 'state',
      label: says.newest,
      kind: 'wide',
      cell: ({ result }) =>
        result ? (
          <Link to={addressWithQuery({ result: result.id, tab: null })}>
            <bdi>{result.error_message ?? says.statuses[result.status]}</bdi>
          </Link>
        ) : (
          '–'
        ),
    },
    {
      name: 'when',
      label: says.age,
      cell: ({ result }) => (result ? <Since instant={result.created_at} /> : '–'),
    },
    {
      name: 'server',
      label: says.server,
      cell: ({ result }) => (result ? <Server server={result.check_server} /> : '–'),
    },
    {
      name: 'bar',
      label: says.ranges[figures?.range ?? '24h'],
      cell: ({ buckets }) => figures && <Buckets buckets={buckets} figures={figures} />,
    },
    {
      name: 'time',
      label: says.responseTime,
      kind: 'number',
      cell: ({ result }) => timeText(result?.response_time ?? null, language.value),
    },
    {
      name: 'uptime',
      label: says.uptime,
      kind: 'number',
      cell: ({ buckets }) =>
        // Each bucket covers a whole hour. Buckets therefore give no uptime for a range of one hour.
        figures?.range === '1h' ? '–' : uptimeText(percentageOf(countedOf(buckets)), language.value),
    },
  ];
};

/**
 * Country code of private locations, whose country is unknown. ISO 3166-1 reserves this code for users' own purposes.
 */
const UNKNOWN_COUNTRY = 'ZZ';

/** Shows the server that executed a run. */
export const Server = ({ server }: { server: Result['check_server'] }): JSX.Element => {
  const { provider, runner } = server.server_metadata;
  // A remote runner has a name of its own, which is more informative than its provider.
  const origin = runner ?? provider;
  return (
    <span class="server">
      {server.country !== UNKNOWN_COUNTRY && <bdi>{server.country}</bdi>} <code>{server.ip_address}</code>
      {typeof origin === 'string' && <bdi> {origin}</bdi>}
    </span>
  );
};

const WIDTH = 300;
const HEIGHT = 16;
/** The share of a bucket's width that its bar fills. */
const BAR = 0.85;
const GRADES: readonly Grade[] = ['good', 'mixed', 'bad'];

/** Shows the buckets of the period as bars, coloured by their grade. */
const Buckets = ({
  buckets,
  figures: { period, stateBucket },
}: {
  buckets: readonly Schemas['StatusBucket'][];
  figures: Figures;
}): JSX.Element => {
  const length = stateBucket * 1_000;
  const first = Math.floor(period.from / length) * length;
  const scale = WIDTH / (Math.ceil(period.to / length) * length - first);
  const width = (length * scale * BAR).toFixed(2);
  const of = (grade: Grade): string =>
    buckets
      .filter((bucket) => gradeOf(bucket) === grade)
      .map(({ timestamp }) => {
        const left = ((momentOf(timestamp) - first) * scale).toFixed(2);
        return `M${left} 0h${width}v${HEIGHT}h-${width}z`;
      })
      .join('');
  return (
    <svg class="buckets" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {GRADES.map((grade) => (
        <path key={grade} class={grade} d={of(grade)} />
      ))}
    </svg>
  );
};
