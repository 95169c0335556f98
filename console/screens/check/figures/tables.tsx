import type { JSX } from 'preact';
import { Folded } from '../../../parts/folded.tsx';
import { regionText } from '../../../parts/region-text.ts';
import { durationOf } from '../../../parts/times/since.tsx';
import { language, words } from '../../../shell/language.ts';
import { numberFormat } from '../../../parts/number-format.ts';
import { timeText } from '../../checks/figures.ts';
import { bucketsOf, combinedFigures, type View } from './series.ts';
import type { Figures } from './source.ts';
import type { StatePeriod } from './state-periods.ts';

interface FigureRow {
  at: number;
  region: string | null;
  average: number;
  p95: number;
  p99: number;
  count: number;
}

const rowsOf = ({ times }: Figures, view: View): FigureRow[] =>
  bucketsOf(view.kind === 'region' ? times.filter(({ region }) => region === view.region) : times)
    .reverse()
    .flatMap(([at, some]) =>
      view.kind === 'each'
        ? some.map((one) => ({ ...one, at }))
        : [{ ...combinedFigures(some), at, region: view.kind === 'region' ? view.region : null }],
    );

/** The data of a chart as a table. */
export const FiguresTable = ({ figures, view }: { figures: Figures; view: View }): JSX.Element => {
  const { check: says } = words.value;
  return (
    <Folded title={says.asTable}>
      {() => {
        const locale = language.value;
        const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
        const numbers = numberFormat(locale);
        return (
          <div class="scrolled" tabIndex={0} role="region" aria-label={says.asTable}>
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">{says.from}</th>
                  {view.kind === 'each' && <th scope="col">{says.region}</th>}
                  <th scope="col" class="number">
                    {says.average}
                  </th>
                  <th scope="col" class="number">
                    p95
                  </th>
                  <th scope="col" class="number">
                    p99
                  </th>
                  <th scope="col" class="number">
                    {says.runs}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rowsOf(figures, view).map((row) => (
                  <tr key={`${row.at} ${row.region ?? ''}`}>
                    <th scope="row">{moments.format(row.at * 1_000)}</th>
                    {view.kind === 'each' && (
                      <td>
                        <bdi>{row.region === null ? null : regionText(row.region)}</bdi>
                      </td>
                    )}
                    <td class="number">{timeText(row.average, locale)}</td>
                    <td class="number">{timeText(row.p95, locale)}</td>
                    <td class="number">{timeText(row.p99, locale)}</td>
                    <td class="number">{numbers.format(row.count)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      }}
    </Folded>
  );
};

/** The outages of a check, newest first. */
export const OutagesTable = ({ outages }: { outages: readonly StatePeriod[] }): JSX.Element => {
  const { check: says } = words.value;
  return (
    <Folded title={says.outagesAsTable}>
      {() => {
        const moments = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' });
        return (
          <div class="scrolled" tabIndex={0} role="region" aria-label={says.outagesAsTable}>
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">{says.from}</th>
                  <th scope="col">{says.to}</th>
                  <th scope="col" class="number">
                    {says.duration}
                  </th>
                </tr>
              </thead>
              <tbody>
                {[...outages].reverse().map(({ from, to }) => (
                  <tr key={from}>
                    <th scope="row">{moments.format(from)}</th>
                    <td>{moments.format(to)}</td>
                    <td class="number">{durationOf((to - from) / 1_000, language.value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      }}
    </Folded>
  );
};
