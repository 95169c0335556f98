import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Link } from '../../../parts/link.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { regionText } from '../../../parts/region-text.ts';
import { currentLocation } from '../../../router/router.ts';
import type { Loaded } from '../../../session/loaded.ts';
import { language, words } from '../../../shell/language.ts';
import { timeText, uptimeText } from '../../checks/figures.ts';
import { addressWithQuery, replaceQuery } from '../change-query.ts';
import { Chart } from './chart.tsx';
import { RANGES, rangeOf, type Range } from './ranges.ts';
import { regionsIn, seriesOf, combinedFigures, type View } from './series.ts';
import type { Figures } from './source.ts';
import { outagesIn, statePeriodsOf } from './state-periods.ts';
import { FiguresTable, OutagesTable } from './tables.tsx';
import { Timeline } from './timeline.tsx';
import { percentageOf } from './uptime.ts';

export interface FiguresProps {
  loaded: Loaded<Figures>;
  again: () => void;
  /** interval of the check in seconds */
  interval: number;
}

/** Value of the region field that shows one line per region. */
const EACH = 'each';

const viewOf = (text: string | null): View =>
  text === null ? { kind: 'all' } : text === EACH ? { kind: 'each' } : { kind: 'region', region: text };

/** The uptime and the response times of a check in a period. */
export const FiguresSection = ({ loaded, again, interval }: FiguresProps): JSX.Element => {
  const { check: says } = words.value;
  const { query } = currentLocation.value;
  const figures = loaded.status === 'loading' ? null : loaded.value;
  const range = rangeOf(query.get('range'));
  return (
    <section class="figures" aria-label={says.figures} aria-busy={figures !== null && figures.range !== range}>
      <div class="figures-head">
        <Ranges current={range} />
        {figures && <RegionChoice regions={regionsIn(figures.times)} chosen={query.get('region')} />}
        <button class="icon-button" aria-label={says.reload} title={says.reload} onClick={again}>
          <Icon name="reload" />
        </button>
      </div>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {loaded.status === 'loading' && <Loading />}
      {figures && <Measured figures={figures} view={viewOf(query.get('region'))} interval={interval} />}
    </section>
  );
};

const Ranges = ({ current }: { current: Range }): JSX.Element => (
  <nav class="ranges" aria-label={words.value.check.range}>
    {RANGES.map((range) => (
      <Link key={range} to={addressWithQuery({ range: range === '24h' ? null : range })} current={range === current}>
        {words.value.check.ranges[range]}
      </Link>
    ))}
  </nav>
);

const RegionChoice = ({ regions, chosen }: { regions: string[]; chosen: string | null }): JSX.Element | null => {
  const { check: says } = words.value;
  if (regions.length < 2 && chosen === null) return null;
  return (
    <label class="preference">
      <span>{says.region}</span>
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget }) => {
          replaceQuery({ region: currentTarget.value });
        }}
      >
        <option value="">{says.allRegions}</option>
        <option value={EACH} selected={chosen === EACH}>
          {says.eachRegion}
        </option>
        {regions.map((region) => (
          <option key={region} value={region} selected={chosen === region}>
            {regionText(region)}
          </option>
        ))}
      </select>
    </label>
  );
};

const Measured = ({ figures, view, interval }: { figures: Figures; view: View; interval: number }): JSX.Element => {
  const { check: says } = words.value;
  const locale = language.value;
  const { period, times, bucket, history, counted } = figures;
  const stretches = useMemo(() => statePeriodsOf(history, period), [history, period]);
  const outages = useMemo(() => outagesIn(stretches), [stretches]);
  const shown = view.kind === 'region' ? `region ${view.region}` : view.kind;
  const series = useMemo(() => seriesOf(times, view, bucket, interval), [times, shown, bucket, interval]);
  const all = view.kind === 'region' ? times.filter(({ region }) => region === view.region) : times;
  const { average, p95, count } = combinedFigures(all);
  const regions = regionsIn(all).length;
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  return (
    <>
      <dl class="tiles">
        <div>
          <dt>{says.uptime}</dt>
          <dd>{uptimeText(percentageOf(counted), locale)}</dd>
        </div>
        <div>
          <dt>{says.average}</dt>
          <dd>{timeText(count === 0 ? null : average, locale)}</dd>
        </div>
        <div>
          <dt>{says.p95Worst}</dt>
          <dd>{timeText(count === 0 ? null : p95, locale)}</dd>
        </div>
        <div>
          <dt>{says.runs}</dt>
          <dd>{new Intl.NumberFormat(locale).format(counted.all)}</dd>
        </div>
      </dl>
      <Timeline stretches={stretches} period={period} />
      {series.at.length === 0 ? (
        <p class="nothing">{says.noTimes}</p>
      ) : (
        <Chart
          series={series}
          period={period}
          outages={outages}
          isOfSeveral={view.kind === 'all' && regions > 1}
          label={says.chart(timeText(average, locale), timeText(p95, locale))}
        />
      )}
      <div class="figures-foot">
        {series.at.length > 0 && <FiguresTable figures={figures} view={view} />}
        {outages.length > 0 && <OutagesTable outages={outages} />}
        <p class="fine">{says.asOf(clock.format(period.to))}</p>
      </div>
    </>
  );
};
