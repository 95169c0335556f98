import type { ReportContent } from '../../../domain/report/content.ts';
import type { ReportType } from '../../../domain/report/events.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import { durationText } from '../../duration.ts';
import { timesOf } from '../../times.ts';
import { wordsFor } from '../../words/index.ts';
import { periodText } from '../period.ts';
import { targetWords } from '../target.ts';
import { dayChart } from './day-chart.ts';
import { checkTable, componentTable, heading, incidentList, outageTable } from './sections.ts';
import { COLORS, CONTENT_WIDTH, openSheet, PAGE, type Sheet } from './sheet.ts';

const KINDS: Readonly<Record<ReportType, string>> = {
  uptime: 'Uptime report',
  response_time: 'Response time report',
  incidents: 'Incident report',
};

/** Returns a report as an A4 PDF. */
export const reportPdf = (content: ReportContent): Promise<Uint8Array> => {
  const times = timesOf(wordsFor('en'), content.time_zone);
  const made = `Made ${times.moment(content.generated_at)}`;
  const sheet = openSheet({
    title: content.name,
    made: new Date(millisecondsOf(content.generated_at)),
    foot: `${content.organization} · ${content.name} · ${made}`,
  });
  head(sheet, content);
  figures(sheet, content);
  dayChart(sheet, content);
  const { report_type, checks, components, outages, incidents } = content;
  if (components.length > 0) {
    heading(sheet, 'Components');
    componentTable(sheet, content);
  }
  if (report_type !== 'incidents' && (checks.length > 0 || components.length === 0)) {
    heading(sheet, 'Checks');
    if (checks.length > 0) checkTable(sheet, content);
    else sheet.prose('This report covers no checks.', { color: COLORS.muted });
  }
  if (report_type === 'incidents') {
    heading(sheet, 'Incidents and maintenance');
    if (incidents.length > 0) incidentList(sheet, content, times);
    else sheet.prose('There were none in this period.', { color: COLORS.muted });
  }
  if (report_type !== 'response_time') {
    heading(sheet, 'Outages');
    if (outages.length > 0) outageTable(sheet, content, times);
    else sheet.prose('There were none in this period.', { color: COLORS.muted });
  }
  return sheet.done();
};

const head = (sheet: Sheet, content: ReportContent): void => {
  const { organization, page, tag, name, report_type, time_zone } = content;
  const about = [organization, page, tag && `tag ${tag}`].filter((one) => one !== null).join(' · ');
  sheet.prose(about, { color: COLORS.muted, size: 10, gap: 2 });
  sheet.prose(name, { weight: 'bold', size: 20, gap: 2 });
  sheet.prose(`${KINDS[report_type]} · ${periodText(content)} · ${time_zone}`, {
    color: COLORS.muted,
    size: 10,
    gap: 10,
  });
};

/** Writes the overall figures, side by side. */
const figures = (sheet: Sheet, { summary, report_type, outages }: ReportContent): void => {
  const { uptime_percentage: uptime, target_percentage: target } = summary;
  const time = (value: number | null): string => (value === null ? '–' : `${value.toLocaleString('en')} ms`);
  const down = durationText(summary.downtime);
  const longest = Math.max(0, ...outages.map(({ duration }) => duration));
  const all: [string, string][] =
    report_type === 'response_time'
      ? [
          ['Average', time(summary.average_response_time)],
          ['Median (p50)', time(summary.p50)],
          ['p95', time(summary.p95)],
          ['p99', time(summary.p99)],
        ]
      : report_type === 'uptime'
        ? [
            ['Uptime', uptime === null ? '–' : `${uptime.toFixed(2)} %`],
            [target === null ? 'Target' : `Target ${target} %`, target === null ? 'none' : targetWords(summary)],
            ['Outages', summary.outages.toLocaleString('en')],
            ['Downtime', down],
          ]
        : [
            ['Incidents', summary.incidents.toLocaleString('en')],
            ['Outages', summary.outages.toLocaleString('en')],
            ['Downtime', down],
            ['Longest outage', outages.length === 0 ? '–' : durationText(longest)],
          ];
  const width = CONTENT_WIDTH / all.length;
  const height = 46;
  sheet.need(height);
  sheet.document.roundedRect(PAGE.margin, sheet.y, CONTENT_WIDTH, height, 4).fill(COLORS.head);
  for (const [index, [label, value]] of all.entries()) {
    const x = PAGE.margin + index * width + 10;
    sheet.line(label, x, sheet.y + 7, width - 14, { size: 8, color: COLORS.muted });
    sheet.line(value, x, sheet.y + 20, width - 14, { size: 14, weight: 'bold' });
  }
  sheet.y += height + 16;
};
