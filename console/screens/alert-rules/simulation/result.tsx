import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../../api/openapi.d.ts';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { Link } from '../../../parts/link.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { regionText } from '../../../parts/region-text.ts';
import { durationOf, Moment, momentOf } from '../../../parts/times/since.tsx';
import { momentText } from '../../../parts/times/moment-text.ts';
import { language, words } from '../../../shell/language.ts';

type Alert = Schemas['AlertSimulation']['alerts'][number];

export interface SimulationResultProps {
  result: Schemas['AlertSimulation'];
  /** API times */
  period: { from: string; to: string };
  /** whether the rule watches all checks with a tag, so that the alerts can belong to several checks */
  isOfTag: boolean;
}

const PAGE_SIZE = 20;

/** The alerts of a simulation: their number, a timeline, and a table. */
export const SimulationResult = ({ result, period, isOfTag }: SimulationResultProps): JSX.Element => {
  const page = useSignal(1);
  const { simulation: says } = words.value;
  const { alerts, runs, truncated } = result;
  const pages = Math.max(1, Math.ceil(alerts.length / PAGE_SIZE));
  const rows = alerts.slice((page.value - 1) * PAGE_SIZE, page.value * PAGE_SIZE);
  return (
    <div class="simulation-result">
      <p role="status">
        <strong>{says.count(alerts.length, runs)}</strong>
      </p>
      {truncated && <p class="notice">{says.truncated}</p>}
      <Timeline alerts={alerts} period={period} isMeasured={runs > 0} />
      {alerts.length > 0 && (
        <DataTable
          label={says.title}
          rows={rows}
          keyOf={({ check_id, fired_at }) => `${check_id} ${fired_at}`}
          columns={columnsOf(isOfTag)}
        />
      )}
      <Pager
        pagination={{ page: page.value, total_pages: pages, total_items: alerts.length }}
        onPage={(next) => {
          page.value = next;
        }}
      />
    </div>
  );
};

const columnsOf = (isOfTag: boolean): Column<Alert>[] => {
  const { simulation: says } = words.value;
  return [
    { name: 'fired', label: says.fired, kind: 'key', cell: ({ fired_at }) => <Moment instant={fired_at} /> },
    ...(isOfTag
      ? [{ name: 'check', label: says.check, cell: ({ check_name }: Alert) => <bdi>{check_name}</bdi> }]
      : []),
    {
      name: 'resolved',
      label: says.resolved,
      cell: ({ resolved_at }) => (resolved_at === null ? says.stillActive : <Moment instant={resolved_at} />),
    },
    {
      name: 'duration',
      label: says.duration,
      kind: 'number',
      cell: ({ duration }) => durationOf(duration, language.value),
    },
    {
      name: 'results',
      label: says.results,
      cell: ({ check_id, trigger_results }) => (
        <ul class="plain-list">
          {trigger_results.map(({ result_id, region, error_message }) => (
            <li key={result_id}>
              <Link to={`/checks/${check_id}?result=${result_id}`}>{says.result(regionText(region))}</Link>
              {error_message !== null && (
                <span class="fine clamped">
                  <bdi>{error_message}</bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      ),
    },
  ];
};

const WIDTH = 1_000;
const HEIGHT = 24;
/** Minimum width of an alert. */
const LEAST = 4;

/** A bar of the period, with the times at which alerts were active. The table has the same times as text. */
const Timeline = ({
  alerts,
  period,
  isMeasured,
}: Pick<SimulationResultProps, 'period'> & { alerts: readonly Alert[]; isMeasured: boolean }): JSX.Element => {
  const [from, to] = [momentOf(period.from), momentOf(period.to)];
  const x = (moment: number): number => (WIDTH * (Math.min(Math.max(moment, from), to) - from)) / (to - from);
  const bars = alerts.map(({ fired_at, resolved_at }) => {
    const begin = x(momentOf(fired_at));
    const width = Math.max(LEAST, x(resolved_at === null ? to : momentOf(resolved_at)) - begin);
    return `M${Math.min(begin, WIDTH - width).toFixed(2)} 0h${width.toFixed(2)}v${HEIGHT}h-${width.toFixed(2)}z`;
  });
  return (
    <figure class="state-strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path class={isMeasured ? 'up' : 'none'} d={`M0 0h${WIDTH}v${HEIGHT}h-${WIDTH}z`} />
        <path class="down" d={bars.join('')} />
      </svg>
      <figcaption>
        <span>{momentText(from, language.value)}</span>
        <span>{momentText(to, language.value)}</span>
      </figcaption>
    </figure>
  );
};
