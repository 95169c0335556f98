import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Statement, StatementComponent, StatementDay, StatementSeconds } from '../../domain/statement/content.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { heading } from '../report/pdf/sections.ts';
import { COLORS, openSheet, type Sheet } from '../report/pdf/sheet.ts';
import { table, type Column } from '../report/pdf/table.ts';
import { wordsFor } from '../words/index.ts';
import { statementJson } from './json.ts';

/** Maximum numbers of rows about components and about days. The attachment has all components and days. */
const MOST_COMPONENTS = 1_000;
const MOST_DAYS = 1_000;

/** Name of the attached JSON file in the PDF. */
export const ATTACHMENT = 'statement.json';

/**
 * Returns a statement as an A4 PDF with the same statement as attached JSON. The output depends only on the content and
 * on the release, so that an existing file can be compared with a newly generated one. For this reason the file is not
 * compressed, and its times are in UTC.
 */
export const statementPdf = (statement: Statement): Promise<Uint8Array> => {
  const { page, month, made_at, components, log } = statement;
  const made = new Date(millisecondsOf(made_at));
  const title = `Uptime statement ${month}`;
  const sheet = openSheet({ title: `${title} ${page.name}`, made, foot: `${page.name} · ${title}`, compress: false });
  sheet.document.file(Buffer.from(statementJson(statement)), {
    name: ATTACHMENT,
    type: 'application/json',
    description: 'The figures of this statement, for uptrail statement verify',
    creationDate: made,
    modifiedDate: made,
  });
  head(sheet, statement);
  heading(sheet, 'Components');
  if (components.length > 0) table(sheet, columns('Component', nameOf), components.slice(0, MOST_COMPONENTS));
  else sheet.prose('The page had no components in this month.', { color: COLORS.muted });
  moreLine(sheet, components.length - MOST_COMPONENTS, 'components');
  days(sheet, components);
  heading(sheet, 'Proof');
  sheet.prose(`Made ${momentText(made_at)} from the event log of this page. Durations are hours:minutes:seconds.`);
  sheet.prose(`Position: ${log.position}`);
  sheet.prose(`Head: ${log.head}`);
  sheet.prose(
    'The command "uptrail statement verify" computes all figures again from the log, and names later changes. The figures are attached to this file as JSON.',
  );
  return sheet.done();
};

const head = (sheet: Sheet, { page, month, complete, made_at }: Statement): void => {
  const muted = { color: COLORS.muted, size: 10 };
  sheet.prose(page.name, { ...muted, gap: 2 });
  sheet.prose(`Uptime statement ${month}`, { weight: 'bold', size: 20, gap: 2 });
  sheet.prose(`Days in the time zone ${page.time_zone}`, { ...muted, gap: 6 });
  if (!complete) {
    const sentence = `Incomplete: the month is not over. Measured until ${momentText(made_at)}.`;
    sheet.prose(sentence, { color: COLORS.bad, weight: 'bold', size: 10, gap: 6 });
  }
};

/** Writes the days on which a component was not operational all the time. */
const days = (sheet: Sheet, components: readonly StatementComponent[]): void => {
  const affected = components.filter(({ affected_days }) => affected_days.length > 0);
  if (affected.length > 0) heading(sheet, 'Affected days');
  let left = MOST_DAYS;
  for (const { name, affected_days } of affected) {
    if (left === 0) break;
    const shown = affected_days.slice(0, left);
    left -= shown.length;
    sheet.need(70);
    sheet.prose(name, { weight: 'bold', gap: 2 });
    table(sheet, columns<StatementDay>('Day', dayText), shown);
    sheet.space(8);
  }
  const all = affected.reduce((sum, { affected_days }) => sum + affected_days.length, 0);
  moreLine(sheet, all - MOST_DAYS, 'days');
};

/** Writes how many rows are only in the attachment. */
const moreLine = (sheet: Sheet, count: number, what: string): void => {
  if (count > 0) sheet.prose(`${count.toLocaleString('en')} more ${what} are in the attached file.`);
};

const nameOf = ({ name, group }: StatementComponent): string => (group === null ? name : `${group} · ${name}`);

const dayText = ({ day, status }: StatementDay): string => `${day} · ${statusText(status)}`;

const statusText = (status: ComponentStatus): string => wordsFor('en').componentStatus[status];

type Figures = StatementSeconds & { uptime_percentage: number };

const columns = <Row extends Figures>(title: string, cell: (row: Row) => string): Column<Row>[] => {
  const duration = (name: string, of: (row: Row) => number): Column<Row> => ({
    title: name,
    width: 54,
    align: 'right',
    cell: (row) => clockText(of(row)),
  });
  return [
    { title, cell, wraps: true },
    { title: 'Uptime', width: 48, align: 'right', cell: (row) => `${row.uptime_percentage.toFixed(2)} %` },
    duration('Major', (row) => row.major_outage),
    duration('Partial', (row) => row.partial_outage),
    duration('Degraded', (row) => row.degraded_performance),
    duration('Excluded', (row) => row.excluded),
    duration('Measured', (row) => row.measured),
  ];
};

/** Formats a duration exactly: `6:05:09`. @param seconds a non-negative integer */
const clockText = (seconds: number): string => {
  const two = (count: number): string => count.toString().padStart(2, '0');
  if (seconds === 0) return '–';
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

const momentText = (instant: Instant): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;
