import type { JSX } from 'preact';
import { numberFormat } from '../../parts/number-format.ts';
import { durationOf } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import type { Report } from '../reports/source.ts';
import { percentText, timeText } from './figures.ts';

/** The figures of the whole period. */
export const Summary = (props: { report: Report; summary: NonNullable<Report['summary']> }): JSX.Element => {
  const { report, summary } = props;
  const says = words.value.reports;
  const locale = language.value;
  const number = (count: number): string => numberFormat(locale).format(count);
  const { target_percentage: target, below_target } = summary;
  const isBelow = target !== null && (summary.uptime_percentage ?? 100) < target;
  const all: (readonly [name: string, value: string, note?: string])[] = [
    [says.uptime, percentText(summary.uptime_percentage, locale)],
    ...(target === null ? [] : [[says.target, percentText(target, locale)] as const]),
    [says.downtime, durationOf(summary.downtime, locale)],
    ...(report.report_type === 'response_time' ? [] : [[says.outages, number(summary.outages)] as const]),
    ...(report.report_type === 'incidents' ? [[says.incidents, number(summary.incidents)] as const] : []),
    [says.average, timeText(summary.average_response_time, locale)],
    ['p95', timeText(summary.p95, locale)],
    ['p99', timeText(summary.p99, locale)],
    [says.checks, number(summary.checks)],
    ...(summary.components > 0 ? [[says.components, number(summary.components)] as const] : []),
    ...(below_target === null ? [] : [[says.belowTarget, number(below_target)] as const]),
  ];
  return (
    <dl class="report-figures">
      {all.map(([name, value], place) => (
        <div key={name} class={place === 0 && isBelow ? 'state-major' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
