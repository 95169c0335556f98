import type { ReportContent } from '../../domain/report/content.ts';
import { CSV_MARK, csvLine } from '../csv.ts';

/**
 * The columns of the file. The file contains a single table, so that every program can read it. The column `section`
 * contains the type of each row.
 */
const COLUMNS = [
  'section',
  'id',
  'name',
  'group',
  'day',
  'started_at',
  'ended_at',
  'duration_seconds',
  'uptime_percentage',
  'target_percentage',
  'budget_left_seconds',
  'total_checks',
  'failed_checks',
  'outages',
  'average_response_time',
  'p50',
  'p95',
  'p99',
  'status',
  'impact',
  'text',
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null>>;

const lineOf = (row: Row): string => csvLine(COLUMNS.map((column) => row[column]));

/** Returns a report as CSV. */
export const reportCsv = (content: ReportContent): string => {
  const lines = [`${CSV_MARK}${csvLine(COLUMNS)}`];
  for (const row of rowsOf(content)) lines.push(lineOf(row));
  return lines.join('');
};

function* rowsOf(content: ReportContent): Generator<Row> {
  const { summary, days, checks, components, outages, incidents } = content;
  yield {
    section: 'summary',
    id: content.id,
    name: content.name,
    started_at: content.period_start,
    ended_at: content.period_end,
    duration_seconds: summary.downtime,
    uptime_percentage: summary.uptime_percentage,
    target_percentage: summary.target_percentage,
    outages: summary.outages,
    average_response_time: summary.average_response_time,
    p50: summary.p50,
    p95: summary.p95,
    p99: summary.p99,
    text: [content.organization, ...(content.tag === null ? [] : [`tag ${content.tag}`]), content.time_zone].join(', '),
  };
  for (const check of checks) {
    const { id, name, by_day } = check;
    yield {
      section: 'check',
      id,
      name,
      duration_seconds: check.downtime,
      uptime_percentage: check.uptime_percentage,
      target_percentage: content.target_percentage,
      budget_left_seconds: check.budget?.left,
      total_checks: check.total_checks,
      failed_checks: check.failed_checks,
      outages: check.outages,
      average_response_time: check.average_response_time,
      p50: check.p50,
      p95: check.p95,
      p99: check.p99,
    } as Row;
    for (const [index, day] of days.entries()) {
      yield {
        section: 'check_day',
        id,
        name,
        day,
        uptime_percentage: by_day.uptime[index],
        total_checks: by_day.total[index],
        average_response_time: by_day.average[index],
        p95: by_day.p95[index],
      } as Row;
    }
  }
  for (const { id, name, group, uptime_percentage, major_outage, partial_outage, budget, by_day } of components) {
    yield {
      section: 'component',
      id,
      name,
      group,
      duration_seconds: major_outage + partial_outage,
      uptime_percentage,
      target_percentage: content.target_percentage,
      budget_left_seconds: budget?.left ?? null,
    };
    for (const [index, day] of days.entries()) {
      yield { section: 'component_day', id, name, group, day, uptime_percentage: by_day.uptime[index] ?? null };
    }
  }
  for (const { check_id, check_name, started_at, ended_at, duration, cause } of outages) {
    yield {
      section: 'outage',
      id: check_id,
      name: check_name,
      started_at,
      ended_at,
      duration_seconds: duration,
      text: cause,
    };
  }
  for (const { id, name, page, kind, impact, status, started_at, resolved_at, duration, updates } of incidents) {
    yield {
      section: kind === 'maintenance' ? 'maintenance' : 'incident',
      id,
      name,
      group: page,
      started_at,
      ended_at: resolved_at,
      duration_seconds: duration,
      status,
      impact,
    };
    for (const update of updates) {
      yield {
        section: 'update',
        id,
        name,
        group: page,
        started_at: update.created_at,
        status: update.status,
        text: update.body,
      };
    }
  }
}
