import type {
  CheckContent,
  ComponentContent,
  IncidentContent,
  ComponentOutage,
  ReportContent,
} from '../../../domain/report/content.ts';
import { durationText } from '../../duration.ts';
import { markdownText } from '../../markdown/text.ts';
import { shortened } from '../../characters.ts';
import type { Times } from '../../times.ts';
import { strip, uptimeColor } from './charts.ts';
import { COLORS, type Sheet } from './sheet.ts';
import { table, type Column } from './table.ts';

/** Maximum numbers of outages and incidents listed in a PDF. The other formats list all of them. */
const MOST_OUTAGES = 500;
const MOST_INCIDENTS = 200;
const LONGEST_BODY = 2_000;

export const heading = (sheet: Sheet, title: string): void => {
  // Starts a new page if there is no room for the heading and the beginning of its section.
  sheet.need(80);
  sheet.space(8);
  sheet.prose(title, { weight: 'bold', size: 12, gap: 4 });
};

const time = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en'));
const percent = (value: number | null): string => (value === null ? '–' : `${value.toFixed(2)} %`);

type Measured = Pick<CheckContent, 'uptime_percentage' | 'budget'> & { by_day: Pick<CheckContent['by_day'], 'uptime'> };

/** Returns the columns that components and checks share: days, uptime, and the remaining error budget. */
const uptimeColumns = (sheet: Sheet, { target_percentage: target }: ReportContent): Column<Measured>[] => [
  { title: 'Days', width: target === null ? 130 : 92, cell: ({ by_day }) => strip(sheet, by_day.uptime, target) },
  {
    title: 'Uptime',
    width: 48,
    align: 'right',
    cell: ({ uptime_percentage }) => percent(uptime_percentage),
    color: ({ uptime_percentage: uptime }) => (uptime === null ? COLORS.muted : uptimeColor(uptime, target)),
  },
];

const budgetColumn = ({ target_percentage: target }: ReportContent): Column<Pick<Measured, 'budget'>>[] =>
  target === null
    ? []
    : [
        {
          title: 'Budget left',
          width: 66,
          align: 'right',
          cell: ({ budget }) => (budget === null ? '–' : durationText(budget.left)),
          color: ({ budget }) => (budget !== null && budget.left < 0 ? COLORS.bad : undefined),
        },
      ];

export const checkTable = (sheet: Sheet, content: ReportContent): void => {
  const name: Column<CheckContent> = { title: 'Check', cell: (check) => check.name };
  const columns: Column<CheckContent>[] =
    content.report_type === 'uptime'
      ? [
          name,
          ...uptimeColumns(sheet, content),
          { title: 'Outages', width: 40, align: 'right', cell: ({ outages }) => outages.toLocaleString('en') },
          { title: 'Downtime', width: 56, align: 'right', cell: ({ downtime }) => durationText(downtime) },
          ...budgetColumn(content),
        ]
      : [
          name,
          { title: 'Runs', width: 56, align: 'right', cell: ({ total_checks }) => total_checks.toLocaleString('en') },
          { title: 'Average, ms', width: 60, align: 'right', cell: (check) => time(check.average_response_time) },
          { title: 'p50, ms', width: 52, align: 'right', cell: ({ p50 }) => time(p50) },
          { title: 'p95, ms', width: 52, align: 'right', cell: ({ p95 }) => time(p95) },
          { title: 'p99, ms', width: 52, align: 'right', cell: ({ p99 }) => time(p99) },
        ];
  table(sheet, columns, content.checks);
};

export const componentTable = (sheet: Sheet, content: ReportContent): void => {
  const columns: Column<ComponentContent>[] = [
    { title: 'Component', cell: ({ name, group }) => (group === null ? name : `${group} / ${name}`) },
    ...uptimeColumns(sheet, content),
    { title: 'Major', width: 56, align: 'right', cell: ({ major_outage }) => durationText(major_outage) },
    { title: 'Partial', width: 56, align: 'right', cell: ({ partial_outage }) => durationText(partial_outage) },
    ...budgetColumn(content),
  ];
  table(sheet, columns, content.components);
};

/** Writes how many items are not listed. */
const more = (sheet: Sheet, count: number, what: string): void => {
  if (count <= 0) return;
  sheet.space(4);
  sheet.prose(`${count.toLocaleString('en')} more ${what} are not listed here.`, { color: COLORS.muted });
};

export const outageTable = (sheet: Sheet, { outages, summary }: ReportContent, times: Times): void => {
  const columns: Column<ComponentOutage>[] = [
    { title: 'Began', width: 112, cell: ({ started_at }) => times.moment(started_at) },
    { title: 'Check', width: 130, cell: ({ check_name }) => check_name },
    {
      title: 'Duration',
      width: 66,
      align: 'right',
      cell: ({ duration, ended_at }) => `${durationText(duration)}${ended_at === null ? ' …' : ''}`,
    },
    { title: 'Cause', cell: ({ cause }) => cause ?? '–', color: ({ cause }) => (cause ? undefined : COLORS.muted) },
  ];
  const listed = outages.slice(0, MOST_OUTAGES);
  table(sheet, columns, listed);
  if (listed.some(({ ended_at }) => ended_at === null)) {
    sheet.space(4);
    sheet.prose('… lasts still', { size: 8, color: COLORS.muted, gap: 0 });
  }
  more(sheet, summary.outages - listed.length, 'outages');
};

export const incidentList = (sheet: Sheet, { incidents, summary }: ReportContent, times: Times): void => {
  const listed = incidents.slice(0, MOST_INCIDENTS);
  for (const incident of listed) oneIncident(sheet, incident, times);
  more(sheet, summary.incidents - listed.length, 'incidents');
};

const oneIncident = (sheet: Sheet, incident: IncidentContent, times: Times): void => {
  const { name, page, kind, impact, status, started_at, resolved_at, duration, components, updates } = incident;
  sheet.need(60);
  sheet.prose(name, { weight: 'bold', size: 10, gap: 1 });
  const facts = [
    page,
    kind === 'maintenance' ? 'maintenance' : impact === null || impact === 'none' ? 'incident' : `${impact} impact`,
    status.replaceAll('_', ' '),
    resolved_at === null ? `since ${times.moment(started_at)}` : times.span(started_at, resolved_at),
    durationText(duration),
  ];
  sheet.prose(facts.join(' · '), { size: 8, color: COLORS.muted, gap: 1 });
  if (components.length > 0) {
    sheet.prose(shortened(`Touched: ${components.join(', ')}`, 300), { size: 8, color: COLORS.muted, gap: 3 });
  }
  for (const { created_at, status: updateStatus, body } of updates) {
    sheet.prose(`${times.moment(created_at)} · ${updateStatus.replaceAll('_', ' ')}`, {
      size: 8,
      color: COLORS.accent,
      indent: 12,
      gap: 0,
    });
    const text = shortened(markdownText(body), LONGEST_BODY);
    if (text.trim() !== '') sheet.prose(text, { size: 8.5, indent: 12, gap: 3 });
  }
  sheet.space(8);
};
